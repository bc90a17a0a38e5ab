import type { HostProfile } from '@/lib/wire/client-profile';
import { PROFILES } from './hosts/lib/profiles';

/** How hosts connect, for `--as` and *Connect as*. */
export const HOST_PROFILES: readonly HostProfile[] = [PROFILES].flat();

/** Returns the title of a host, or its id if it has no profile here. */
export function borrowedTitle(id: string): string {
  return HOST_PROFILES.find((profile) => profile.id === id)?.title ?? id;
}
