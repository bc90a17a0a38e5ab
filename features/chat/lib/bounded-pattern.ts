import { systemClock } from '@/lib/wire/clock';
import type { TimeLimit } from '@/lib/wire/time-limit';

/** Milliseconds for one match: a backtracking engine can take for ever. */
const MATCH_MS = 200;
/** Milliseconds for all patterns of a file on one request or answer. A file may have thousands. */
const ALL_MS = 1000;
/** Most characters of a text that are searched. */
const MOST_TEXT = 20_000;

/** A pattern took too long. `message` is a sentence. */
export class SlowPattern extends Error {}

/** Returns a limit for all work that runs within it together. */
export function oneBudget(within: TimeLimit, clock = systemClock): TimeLimit {
  let left = ALL_MS;
  return (ms, work) => {
    const from = clock.now();
    try {
      return left > 0 && within(Math.min(ms, left), work);
    } finally {
      left -= clock.now() - from;
    }
  };
}

/**
 * Finds the first match of a person’s pattern in the first 20,000 characters of a text, which comes from a server or a
 * model. Throws {@link SlowPattern}.
 */
export function firstMatch(pattern: RegExp, text: string, within: TimeLimit): RegExpExecArray | undefined {
  let found: RegExpExecArray | null = null;
  const isDone = within(MATCH_MS, () => {
    found = pattern.exec(text.slice(0, MOST_TEXT));
  });
  if (!isDone)
    throw new SlowPattern(
      `The pattern \`${pattern.source.slice(0, 100)}\` took longer than ${MATCH_MS} ms, or all together longer than ${ALL_MS} ms.`,
    );
  return found ?? undefined;
}

/** Returns the groups of a match by number and name; `0` is the whole match. Groups that took no part are missing. */
export function groupsOf(match: RegExpExecArray): ReadonlyMap<string, string> {
  const all = [...Object.entries(match.slice()), ...Object.entries(match.groups ?? {})];
  return new Map(all.filter(([, value]) => value !== undefined));
}
