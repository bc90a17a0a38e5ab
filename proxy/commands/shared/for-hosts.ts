import type { LoadedHostJudge } from '@/features/host-judge';
import { HOST_JUDGE } from '@/features/host-judges';
import { choiceOf } from '@/proxy/cli/choice';
import type { ParsedOptions } from '@/proxy/cli/grammar';

/** The hosts of `--for`, and the judge of servers for them. */
export interface ForHosts extends LoadedHostJudge {
  /** Ids. */
  readonly hosts: readonly string[];
}

/** Reads `--for`: ids with commas between, or `all`. undefined without it. Throws an ExitError. */
export async function readForHosts(given: ParsedOptions): Promise<ForHosts | undefined> {
  // Directories ask for more than `all` hosts do.
  const words = (given.get('for') ?? []).flatMap((text) => text.split(',')).map((word) => word.trim());
  if (words.length === 0 || !HOST_JUDGE) return undefined;
  const { hosts, directories } = HOST_JUDGE;
  const chosen = words.map((word) => choiceOf('--for', word, [...hosts, ...directories, 'all']));
  const every = chosen.includes('all') ? hosts : [];
  return { ...(await HOST_JUDGE.load()), hosts: [...new Set([...every, ...chosen])] };
}
