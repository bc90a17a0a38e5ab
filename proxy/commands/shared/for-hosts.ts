import type { LoadedHostJudge } from '@/features/host-judge';
import { HOST_JUDGE } from '@/features/host-judges';
import { choiceOf } from '@/proxy/cli/choice';
import type { ParsedOptions } from '@/proxy/cli/grammar';

/** The hosts of `--for`, and the judge of servers for them. */
export interface ForHosts extends LoadedHostJudge {
  /** Ids. */
  readonly hosts: readonly string[];
  /** They are directories alone, which judge files of servers. */
  readonly areDirectories: boolean;
}

/** Reads `--for`. undefined without it. Throws an ExitError. */
export function readForHosts(given: ParsedOptions): Promise<ForHosts | undefined> {
  return forHosts('--for', given.get('for') ?? []);
}

/**
 * Reads texts with ids and commas between, or `all`. undefined for none. `what`: where they come from. Throws an
 * ExitError.
 */
export async function forHosts(what: string, texts: readonly string[]): Promise<ForHosts | undefined> {
  const words = wordsOf(texts);
  if (words.length === 0 || !HOST_JUDGE) return undefined;
  const { hosts, directories } = HOST_JUDGE;
  const chosen = words.map((word) => choiceOf(what, word, [...hosts, ...directories, 'all']));
  // Directories ask for more than hosts do.
  const every = chosen.includes('all') ? hosts : [];
  return {
    ...(await HOST_JUDGE.load()),
    hosts: [...new Set([...every, ...chosen])],
    areDirectories: areDirectories(chosen),
  };
}

/** True if `--for` names directories alone, which judge files of servers. */
export function isForDirectories(given: ParsedOptions): boolean {
  return areDirectories(wordsOf(given.get('for') ?? []));
}

function areDirectories(words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => HOST_JUDGE?.directories.includes(word));
}

function wordsOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(',')).map((word) => word.trim().toLowerCase());
}
