import type { Log } from '@/lib/store/log';
import { VisibleRows } from '@/lib/store/rows/visible-rows';
import { asksForHidden, compileFilter } from './compile';
import type { FoundProblems } from './keys/filter-key';
import type { RegexSource } from './language/ast';
import { parseFilter } from './parse';

/** No problems. */
export const NONE: FoundProblems = { all: [], of: () => [], hasInvalidResult: () => false };

/**
 * Returns the rows that a valid filter text selects. HTTP details and notes are hidden unless the filter names them.
 */
export function rowsOf(log: Log, text: string, problems = NONE): VisibleRows {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  const { filter } = parsed;
  const test = filter && compileFilter(filter, { log, problems }, { testFor });
  const hides = (index: number) => log.isNote(index) || log.isHttpDetail(index);
  return new VisibleRows(log, test, asksForHidden(filter) ? undefined : hides);

  function testFor({ source, flags }: RegexSource): (index: number) => boolean {
    const expression = new RegExp(source, flags);
    return (index) => expression.test(log.text(index));
  }
}

/** Updates the rows and returns their seqs. */
export function seqsOf(rows: VisibleRows): number[] {
  return Array.from({ length: rows.update() }, (_, position) => rows.at(position) + 1);
}

/** Returns the seqs of the rows that a filter text selects. */
export function seqsFor(log: Log, text: string, problems = NONE): number[] {
  return seqsOf(rowsOf(log, text, problems));
}
