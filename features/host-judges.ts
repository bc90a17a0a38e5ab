import type { HostJudge } from './host-judge';
import { hostJudge } from './hosts/judge';

/** The judge of servers for hosts; undefined without that feature. */
export const HOST_JUDGE: HostJudge | undefined = [hostJudge][0];
