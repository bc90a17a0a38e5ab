import type { Log } from '@/lib/store/log';
import { VisibleRows } from '@/lib/store/visible-rows';
import { asksForHttp, compileFilter } from './compile';
import { parseFilter } from './parse';
import type { FoundProblems } from './subject';

const NONE: FoundProblems = { of: () => [] };

/** The rows of a log for a filter text that has no fault, HTTP hidden unless it is asked for. */
export function rowsOf(log: Log, text: string, problems = NONE): VisibleRows {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  const { filter } = parsed;
  return new VisibleRows(log, filter && compileFilter(filter, { log, problems }), asksForHttp(filter));
}

/** Their seqs, after an update. */
export function seqsOf(rows: VisibleRows): number[] {
  return Array.from({ length: rows.update() }, (_, position) => rows.at(position) + 1);
}

/** seqs of a log's rows that a filter text lets through. */
export function seqsFor(log: Log, text: string, problems = NONE): number[] {
  return seqsOf(rowsOf(log, text, problems));
}
