import type { HostProfile } from '@/lib/wire/client-profile';
import { PROFILES } from './hosts/lib/profiles';

/** How hosts connect, for `--as` and *Connect as*. */
export const HOST_PROFILES: readonly HostProfile[] = [PROFILES].flat();
