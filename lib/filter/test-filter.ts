import type { Log } from '@/lib/store/log';
import { VisibleRows } from '@/lib/store/rows/visible-rows';
import { asksForHidden, compileFilter } from './compile';
import type { FoundProblems } from './keys/filter-key';
import { parseFilter } from './parse';
import type { RegexSource } from './regex-job';

const NONE: FoundProblems = { all: [], of: () => [] };

/** The rows of a log for a filter text that has no fault, HTTP and notes hidden unless they are asked for. */
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

/** Their seqs, after an update. */
export function seqsOf(rows: VisibleRows): number[] {
  return Array.from({ length: rows.update() }, (_, position) => rows.at(position) + 1);
}

/** seqs of a log's rows that a filter text lets through. */
export function seqsFor(log: Log, text: string, problems = NONE): number[] {
  return seqsOf(rowsOf(log, text, problems));
}
