import { RowSet } from '@/lib/store/columns/collections';
import { KINDS, type Kind } from '@/lib/store/rows/row';
import type { Filter } from './ast';
import type { FilterSubject, RegexResults } from './keys/filter-key';
import { KEYS } from './keys/registry';
import { pooledTest } from './keys/word-keys';
import type { RegexSource } from './regex-job';
import { needleOf, rowTextTest } from './text-search';

/** Whether the row at a log index fits; undefined while that is not known. */
export type RowMatcher = (index: number) => boolean | undefined;

/** What is cheap to ask is asked first. */
const COST: Readonly<Record<Filter['type'], number>> = { field: 0, not: 1, all: 1, any: 1, text: 2, regex: 3 };

/** Makes a filter a test of rows. It may be asked again about rows that have changed, and those that were not known. */
export function compileFilter(filter: Filter, subject: FilterSubject, expressions: RegexResults): RowMatcher {
  switch (filter.type) {
    case 'field':
      return KEYS.get(filter.key)!.testFor(filter, subject);
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

/** True if the filter names what is hidden else, so that such rows are to be shown. */
export function asksForHidden(filter: Filter | undefined): boolean {
  if (filter === undefined) return false;
  if (filter.type === 'all' || filter.type === 'any') return filter.parts.some(asksForHidden);
  return filter.type === 'field' && KEYS.get(filter.key)!.asksForHidden(filter);
}

/** True if the filter looks into the text of frames. */
export function asksForText(filter: Filter | undefined): boolean {
  if (filter === undefined) return false;
  if (filter.type === 'not') return asksForText(filter.part);
  if (filter.type === 'all' || filter.type === 'any') return filter.parts.some(asksForText);
  return filter.type === 'text' || filter.type === 'regex';
}

/** The expressions in a filter, each once. */
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

/** One part that is `decisive` decides; without one, all have to be known. */
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

/**
 * The text occurs in the frame's bytes, or in what its row shows. Not known where the bytes left before they were looked at;
 * what was found in them is remembered, as they never change.
 */
function textTest(text: string, subject: FilterSubject): RowMatcher {
  const { log } = subject;
  const { columns } = log;
  const wanted = text.toLowerCase();
  const needle = needleOf(text);
  const includes = (shown: string) => shown.toLowerCase().includes(wanted);
  const inMethod = pooledTest(subject, includes, (index) => columns.methodNumber(columns.methodRow(index)));
  const inName = pooledTest(subject, includes, (index) => columns.nameNumber(columns.methodRow(index)));
  const inKind = new Set<Kind>(KINDS.filter(includes));
  const isShown = rowTextTest(text, subject);
  const searched = new RowSet();
  const found = new RowSet();
  const inBytes = (index: number): boolean | undefined => {
    if (searched.has(index)) return found.has(index);
    if (!log.hasBytes(index + 1)) return undefined;
    searched.set(index, true);
    const isIn = needle.isIn(log.bytes(index));
    found.set(index, isIn);
    return isIn;
  };
  return (index) => {
    if (inKind.has(columns.kind(index)) || inMethod(index) || inName(index)) return true;
    const verdict = inBytes(index);
    return verdict !== true && isShown(index) ? true : verdict;
  };
}
