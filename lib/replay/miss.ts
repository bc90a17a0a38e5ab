import type { ReadMessage } from '@/lib/session/read-messages';
import { LIMITS } from '@/lib/wire/limits';
import type { CallBook } from './call-book';
import type { Refused } from './openings';

/** What answers a request that the recording does not have. */
export type OnMiss = 'error' | 'forward' | 'empty';

/** Codes of replay's own errors, in the range that belongs to implementations. */
const NOT_RECORDED = -32010;
const NO_ANSWER = -32011;

/** The refusal of a request that was not recorded: what is nearest to it, and where that differs. */
export function notRecorded(book: CallBook, { message, params }: ReadMessage): Refused {
  const { method = '', name } = message;
  const asked = name === undefined ? cut(method) : `${cut(method)} ${cut(name)}`;
  const nearest = book.nearest(method, name, params?.text);
  if (!nearest) return notThere(cut(method), 'methods', book.methods);
  if (nearest.call.name !== name) return notThere(asked, 'names', book.namesOf(method));
  const { call, differences } = nearest;
  const [first] = differences;
  const there = first?.before === '' ? 'is not there' : `is ${first?.before} there`;
  const here = first?.after === '' ? 'missing here' : `${first?.after} here`;
  const more = differences.length > 1 ? `, and ${differences.length - 1} more` : '';
  const where = first && `: ${first.path || 'the params'} ${there} and ${here}${more}`;
  return {
    code: NOT_RECORDED,
    message: `The recording has no ${asked} with these params. The nearest is frame ${call.seq}${where ?? ''}.`,
    data: { reason: 'not-recorded', nearest: { frame: call.seq, method: cut(method), differences } },
  };
}

/** The refusal of a method, or of a tool or the like, that does not occur at all. */
function notThere(asked: string, what: 'methods' | 'names', known: readonly string[]): Refused {
  const shown = known.slice(0, LIMITS.replayNames).map(cut);
  const more = known.length > shown.length ? `, and ${known.length - shown.length} more` : '';
  const has = shown.length === 0 ? 'There is no request in it' : `It has ${shown.join(', ')}${more}`;
  return {
    code: NOT_RECORDED,
    message: `The recording has no ${asked}. ${has}.`,
    data: { reason: 'not-recorded', [what]: shown },
  };
}

/** The refusal of a request that nobody answered when it was recorded. */
export function noAnswer({
  seq,
  unanswered,
}: {
  readonly seq: number;
  readonly unanswered?: { why: string; status?: number };
}): Refused {
  const why = WHY.get(unanswered?.why ?? '') ?? 'it has none';
  const status = unanswered?.status === undefined ? '' : `, with HTTP ${unanswered.status}`;
  return {
    code: NO_ANSWER,
    message: `The recording has no answer to this request (frame ${seq}): ${why}${status}.`,
    data: { reason: 'no-answer', frame: seq },
  };
}

const WHY: ReadonlyMap<string, string> = new Map([
  ['timeout', 'the client gave up waiting for one'],
  ['lost', 'the server went without one'],
  ['open', 'it ends before there was one'],
]);

function cut(text: string): string {
  return text.length > LIMITS.replayShownChars ? `${text.slice(0, LIMITS.replayShownChars)}…` : text;
}
