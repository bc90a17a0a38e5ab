import type { FilterSubject, RegexResults, RowMatcher } from './keys/filter-key';
import { FILTER_KEYS } from './keys/registry';
import type { Filter, RegexSource } from './language/ast';
import { textTest } from './text-search';

/** Relative cost of a test. Cheap tests run first. */
const COST: Readonly<Record<Filter['type'], number>> = { field: 0, not: 1, all: 1, any: 1, text: 2, regex: 3 };

/** Compiles a filter to a test of rows. Call it again for rows that changed or were unknown. */
export function compileFilter(filter: Filter, subject: FilterSubject, expressions: RegexResults): RowMatcher {
  switch (filter.type) {
    case 'field':
      return FILTER_KEYS.get(filter.key)!.testFor(filter, subject);
    case 'text':
      return textTest(filter.text, subject);
    case 'regex':
      return expressions.testFor(filter);
    case 'not': {
      const test = compileFilter(filter.part, subject, expressions);
      return (index) => opposite(test(index));
    }
    case 'all':
      return joinedTest(sorted(filter.parts, subject, expressions), false);
    case 'any':
      return joinedTest(sorted(filter.parts, subject, expressions), true);
  }
}

/** True if the filter names rows that are otherwise hidden, so that they must be shown. */
export function asksForHidden(filter: Filter | undefined): boolean {
  if (filter === undefined) return false;
  if (filter.type === 'all' || filter.type === 'any') return filter.parts.some(asksForHidden);
  return filter.type === 'field' && FILTER_KEYS.get(filter.key)!.showsHidden(filter);
}

/** True if the filter searches the text of frames. */
export function asksForText(filter: Filter | undefined): boolean {
  if (filter === undefined) return false;
  if (filter.type === 'not') return asksForText(filter.part);
  if (filter.type === 'all' || filter.type === 'any') return filter.parts.some(asksForText);
  return filter.type === 'text' || filter.type === 'regex';
}

/** Returns the distinct regular expressions in a filter. */
export function expressionsOf(filter: Filter | undefined): readonly RegexSource[] {
  const found = new Map<string, RegexSource>();
  const look = (part: Filter): void => {
    if (part.type === 'regex') found.set(`/${part.source}/${part.flags}`, { source: part.source, flags: part.flags });
    else if (part.type === 'not') look(part.part);
    else if (part.type === 'all' || part.type === 'any') part.parts.forEach(look);
  };
  if (filter) look(filter);
  return [...found.values()];
}

function sorted(parts: readonly Filter[], subject: FilterSubject, expressions: RegexResults): RowMatcher[] {
  return parts.toSorted((a, b) => costOf(a) - costOf(b)).map((part) => compileFilter(part, subject, expressions));
}

function costOf(filter: Filter): number {
  if (filter.type === 'not') return costOf(filter.part);
  if (filter.type === 'all' || filter.type === 'any') return Math.max(...filter.parts.map(costOf));
  return COST[filter.type];
}

/**
 * Joins tests with "and" (`decisive` is false) or "or" (true). One decisive result is enough. Without one, the joined
 * result is known only if all results are.
 */
function joinedTest(tests: readonly RowMatcher[], decisive: boolean): RowMatcher {
  return (index) => {
    let known = true;
    for (const test of tests) {
      const verdict = test(index);
      if (verdict === decisive) return decisive;
      if (verdict === undefined) known = false;
    }
    return known ? !decisive : undefined;
  };
}

function opposite(verdict: boolean | undefined): boolean | undefined {
  return verdict === undefined ? undefined : !verdict;
}
