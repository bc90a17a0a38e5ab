import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import type { PageFeature } from '../page-feature';

/** The Host panel: how the host of a tapped session uses the server. */
export const tap: PageFeature = {
  panels: [
    {
      id: 'host',
      place: 'server',
      title: 'Host',
      icon: 'eye',
      key: 'o',
      // A session between another client and the server.
      fits: ({ connection: { start } }) => start !== undefined && 'tap' in start,
      Component: lazyWhenIdle(() => import('./components/host-panel').then((file) => file.HostPanel)),
    },
  ],
};
