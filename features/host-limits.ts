import type { HostLimit } from './host-judge';
import { hostLimits } from './hosts/lib/host-limits';

/** The limits of hosts that every check warns about. */
export const HOST_LIMITS: readonly HostLimit[] = [hostLimits].flat();
