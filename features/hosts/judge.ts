import type { HostJudge } from '../host-judge';
import { JUDGED_HOSTS } from './lib/hosts';

/** Will it work in the host? An answer from dated facts and from the wire. */
export const hosts: HostJudge = {
  titles: new Map(JUDGED_HOSTS.map(({ id, title }) => [id, title])),
  load: () => import('./proxy/host-look').then(({ LOADED }) => LOADED),
};
