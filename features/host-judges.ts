import type { HostJudge } from './host-judge';
import { hosts } from './hosts/judge';

/** The judge of servers for hosts; undefined without that feature. */
export const HOST_JUDGE: HostJudge | undefined = [hosts][0];
