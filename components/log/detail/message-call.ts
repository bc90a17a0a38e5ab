import { visibleText } from '@/components/ui/visible-text';
import type { Log } from '@/lib/store/log';
import { rowLabel } from '@/lib/store/rows/row-text';
import type { SpanIndex } from '@/lib/store/telemetry/span-index';
import { formatCount } from '@/lib/wire/format';

/** Characters of a request's method and name. */
const LABEL_CHARS = 100;

/** True for a log record of telemetry. */
export function isLogRecord({ columns }: Log, seq: number): boolean {
  return columns.kind(seq - 1) === 'other' && columns.method(seq - 1) === 'log';
}

/** The request that a log message belongs to. */
interface MessageCall {
  readonly seq: number;
  /** Method and name: `tools/call echo`. */
  readonly label: string;
}

/** Returns the request that a log message belongs to, as far as that is known. */
export function callOfLogMessage(log: Log, seq: number, spans?: SpanIndex): MessageCall | undefined {
  const owner = log.relations.ownerOf(seq) ?? spans?.causeOf(seq)?.request;
  if (owner === undefined || owner > log.size) return undefined;
  const { what, about } = rowLabel(log.row(owner - 1));
  return { seq: owner, label: visibleText([what, about].filter(Boolean).join(' ').slice(0, LABEL_CHARS)) };
}

/** Says why a log message belongs to no request. */
export function whyWithoutCall(log: Log, seq: number): string {
  if (isLogRecord(log, seq)) return 'it names no trace of a request, and not a single one was in flight';
  const inFlight = log.relations.inFlightAt(seq);
  if (inFlight === undefined) return 'it names an unknown task or subscription';
  return inFlight === 0 ? 'no call was in flight' : `${formatCount(inFlight)} calls were in flight, and it names none`;
}
