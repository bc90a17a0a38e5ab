import { visibleText } from '@/components/ui/visible-text';
import type { Log } from '@/lib/store/log';
import { rowLabel } from '@/lib/store/rows/row-text';
import { formatCount } from '@/lib/wire/format';

/** Characters of a request's method and name. */
const LABEL_CHARS = 100;

/** The request that a log message belongs to. */
interface MessageCall {
  readonly seq: number;
  /** Method and name: `tools/call echo`. */
  readonly label: string;
}

/** Returns the request that a log message belongs to, as far as that is known. */
export function callOf(log: Log, seq: number): MessageCall | undefined {
  const owner = log.relations.ownerOf(seq);
  if (owner === undefined || owner > log.size) return undefined;
  const { what, about } = rowLabel(log.row(owner - 1));
  return { seq: owner, label: visibleText([what, about].filter(Boolean).join(' ').slice(0, LABEL_CHARS)) };
}

/** Says why a log message belongs to no request. */
export function whyWithoutCall(log: Log, seq: number): string {
  const inFlight = log.relations.inFlightAt(seq);
  if (inFlight === undefined) return 'it names an unknown task or subscription';
  return inFlight === 0 ? 'no call was in flight' : `${formatCount(inFlight)} calls were in flight, and it names none`;
}
