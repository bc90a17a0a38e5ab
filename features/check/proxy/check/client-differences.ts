import { profileDifferences } from '@/lib/host/profile-differences';
import type { HostProfile } from '@/lib/wire/client-profile';
import type { Status } from '@/proxy/cli/status-line';
import { readRecordedHost } from '@/proxy/commands/shared/read-host';

/** Compares the client of a recording with the profile of a host. Returns sentences with text of the client. */
export async function clientSentences(
  path: string,
  file: string,
  profile: HostProfile,
  status: Status,
): Promise<readonly string[]> {
  const { log, view } = await readRecordedHost(path, file, status);
  const name = `the profile of ${profile.title} ${profile.version}`;
  if (view.as !== undefined) return [`mcp-inspect connected as ${view.as} here, so nothing is compared with ${name}.`];
  if (view.identities.length === 0) return [`No client introduces itself here, so nothing is compared with ${name}.`];
  const found = profileDifferences(log, view, profile);
  if (found.length === 0) return [`The client matches ${name}.`];
  return found.map(({ what, recorded, profile: expected }) => `${what} is ${recorded}, but ${expected} in ${name}.`);
}
