import type { Target } from '@/proxy/library/api';
import { OWN } from '@/proxy/library/own-package';
import { traced } from '@/proxy/library/traced';
import type { CheckOptions, CheckReport, DiffOptions, DiffReport, TestOptions, TestReport } from './check-types';

/**
 * Checks a server, or recordings, and reports every problem. A server that can't be reached is a problem, too. Rejects
 * with an {@link InspectError} for invalid options.
 */
export async function check(
  what: Target | { readonly recordings: readonly string[] },
  options: CheckOptions = {},
): Promise<CheckReport> {
  return traced('check', check, async () => (await import('./check-target')).checkTarget(what, options, OWN));
}

/**
 * Plays pinned calls and recorded clients on a server, and compares the answers. Rejects with an {@link InspectError}
 * if the server can’t be reached, or a file or option is invalid.
 */
export async function test(target: Target, options: TestOptions = {}): Promise<TestReport> {
  return traced('test', test, async () => (await import('./play-target')).testTarget(target, options, OWN));
}

/**
 * Compares two recordings, a recording and a server, or two servers. Rejects with an {@link InspectError} if a side
 * can’t be read or reached.
 */
export async function diff(
  one: string | Target,
  other: string | Target,
  options: DiffOptions = {},
): Promise<DiffReport> {
  return traced('diff', diff, async () => (await import('./diff-sides')).diffSides(one, other, options, OWN));
}
