import type { HostJudge } from './host-judge';
import { hosts } from './hosts/judge';

/** What judges how servers get along with hosts; undefined without that feature. */
export const HOST_JUDGE: HostJudge | undefined = [hosts][0];
