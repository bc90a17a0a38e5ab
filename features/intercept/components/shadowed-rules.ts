import type { InterceptAction, InterceptRule } from '@/lib/wire/intercept';

/** Actions that take requests and responses only. */
const ANSWERS: ReadonlySet<InterceptAction['do']> = new Set(['error', 'result', 'answer-from']);
/** Filters that match requests and their responses only. */
const CALLS = /^(?:method:(?!notifications\/)[\w/]+|tool:\S+|prompt:\S+)$/;

/**
 * Returns the rules that never take a message, each with the earlier rule that takes all of its messages. `rules`:
 * those in force, in their order. Compares filters as text, so it finds the common cases only.
 */
export function shadowedRules(rules: readonly InterceptRule[]): ReadonlyMap<string, string> {
  const shadowed = new Map<string, string>();
  for (const [index, rule] of rules.entries()) {
    const first = rules.slice(0, index).find((earlier) => takesAllOf(earlier, rule));
    if (first) shadowed.set(rule.name, first.name);
  }
  return shadowed;
}

function takesAllOf(earlier: InterceptRule, later: InterceptRule): boolean {
  const { direction, when = '', after = 0, every = 1, times, action } = earlier;
  if (after > 0 || every > 1 || times !== undefined) return false;
  if (direction !== undefined && direction !== later.direction) return false;
  const filter = when.trim();
  if (filter !== '' && filter !== later.when?.trim()) return false;
  return !ANSWERS.has(action.do) || ANSWERS.has(later.action.do) || CALLS.test(filter);
}
