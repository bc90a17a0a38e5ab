import type { Feature } from '../feature';

/** The Server Card of a URL, checked and compared with the live server. */
export const serverCard: Feature = {
  name: 'server-card',
  looks: [
    {
      key: 'card',
      note: 'It reads the Server Card of a URL. Exit code 1: that is wrong, or differs from the server.',
      load: () => import('./proxy/doctor-look'),
    },
  ],
};
