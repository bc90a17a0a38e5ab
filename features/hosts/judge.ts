import type { HostJudge } from '../host-judge';
import { JUDGED_HOSTS, type JudgedHost } from './lib/hosts';

const idsOf = (isWanted: (host: JudgedHost) => boolean): readonly string[] =>
  JUDGED_HOSTS.filter(isWanted).map(({ id }) => id);

/** Will it work in the host? An answer from dated facts and from the wire. */
export const hostJudge: HostJudge = {
  hosts: idsOf(({ isDirectory }) => !isDirectory),
  directories: idsOf(({ isDirectory = false }) => isDirectory),
  load: () => import('./proxy/host-look').then(({ LOADED }) => LOADED),
};
