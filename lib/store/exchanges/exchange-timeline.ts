import { idKey, isObject, own } from '@/lib/json/value';
import { decodeLossy } from '../classify';
import type { Log } from '../log';
import { messageSource } from '../message-source';
import type { Row } from '../rows/row';
import { EXPLAINED_CHARS, explainBrokenAnswer, explainIdMismatch } from './unmatched-answers';

/** Frames gone through behind a request: what comes later of an exchange is not told. */
const MOST_FRAMES = 3000;
/** Frames gone through before a request for others under way; each costs some nanoseconds. */
const MOST_BEFORE = 100_000;
/** Frames between an answer and the same request sent again, or the other way about. */
const NEAR = 100;
const MOST_ROUNDS = 20;

/**
 * A frame's role in an exchange. `asked`: a request of the other side meanwhile; `answered`: the response to that;
 * `second`: another response; `unmatched`: looks like the response.
 */
export type PartRole =
  | 'request'
  | 'progress'
  | 'asked'
  | 'answered'
  | 'notification'
  | 'cancelled'
  | 'again'
  | 'response'
  | 'second'
  | 'unmatched';

/** One frame of an exchange. */
export interface ExchangePart {
  readonly role: PartRole;
  readonly row: Row;
  /** Since the first request, in microseconds. */
  readonly afterUs: number;
  /** Of an answer: since what it answers, in microseconds. */
  readonly tookUs: number | undefined;
  /** False if it may as well belong to something else that was under way. */
  readonly sure: boolean;
}

/** A request with everything that happened until its answer, in the order of the log; all its rounds, if it was sent again. */
export interface ExchangeTimeline {
  readonly parts: readonly ExchangePart[];
  /** First request to last answer, in microseconds; undefined while there is none. */
  readonly tookUs: number | undefined;
  /** There was more than is told. */
  readonly cut: boolean;
}

/** The request that a frame is about: itself, or the one that it answers, seems to answer or reports on. */
export function requestOf(log: Log, row: Row): number | undefined {
  if (row.channel !== 'protocol') return undefined;
  if (row.kind === 'request') return log.exchange(row.seq) && row.seq;
  const about = row.peer ?? row.unmatched;
  return about !== undefined && log.exchange(about) ? about : undefined;
}

/** Everything about one request. Goes through the frames meanwhile, so ask again only when there are more. */
export function exchangeTimeline(log: Log, requestSeq: number): ExchangeTimeline {
  const first = firstRound(log, requestSeq);
  const start = log.row(first - 1).time;
  const parts: ExchangePart[] = [];
  const part = (role: PartRole, row: Row, sure = true) => {
    const answers = role === 'answered' || role === 'response' || role === 'second';
    parts.push({ role, row, afterUs: row.time - start, tookUs: answers ? row.durationUs : undefined, sure });
  };
  let cut = false;
  let last: number | undefined;
  for (let round = first, rounds = 0; rounds < MOST_ROUNDS; rounds++) {
    const request = log.row(round - 1);
    const end = request.peer;
    part('request', request);
    const until = Math.min(log.size, end === undefined ? log.size : end - 1, round + MOST_FRAMES);
    cut ||= until === round + MOST_FRAMES;
    meanwhile(log, request, until, part);
    last = end;
    if (end === undefined) break;
    part('response', log.row(end - 1));
    for (const second of secondAnswers(log, request.seq)) part('second', second);
    const again = nextRound(log, request, end);
    if (again === undefined) break;
    part('again', log.row(again.retry - 1));
    round = again.request;
  }
  return { parts, tookUs: last === undefined ? undefined : log.row(last - 1).time - start, cut };
}

/** Answers to a request after its first. */
function secondAnswers(log: Log, request: number): Row[] {
  const members = log.relations.membersOf(request, MOST_FRAMES);
  return members.map((seq) => log.row(seq - 1)).filter(({ repeats, peer }) => repeats && peer === request);
}

/** What came between a request and `until`. */
function meanwhile(log: Log, request: Row, until: number, part: (role: PartRole, row: Row, sure?: boolean) => void) {
  const rows = Array.from({ length: Math.max(0, until - request.seq) }, (_, index) => log.row(request.seq + index));
  const others = rows.some(({ kind, direction }) => kind === 'request' && direction === request.direction);
  const alone = request.exchange === undefined && !others && !cameWhileOther(log, request);
  /** On one stream with the request is certain; on stdio it is, if nothing else was under way. */
  const sure = (row: Row) => (request.exchange === undefined ? alone : row.exchange === request.exchange);
  const asked = new Set<number>();
  for (const row of rows) {
    if (row.channel !== 'protocol') continue;
    if (row.seq === request.unmatched) part('unmatched', row);
    else if (row.peer === request.seq) part(row.method === 'notifications/cancelled' ? 'cancelled' : 'progress', row);
    else if (row.kind === 'request' && row.direction !== request.direction) {
      asked.add(row.seq);
      part('asked', row, sure(row));
    } else if (row.peer !== undefined && asked.has(row.peer)) part('answered', row, sure(log.row(row.peer - 1)));
    else if (row.kind === 'notification' && row.direction !== request.direction && row.peer === undefined) {
      part('notification', row, sure(row));
    }
  }
}

/** Whether an earlier request of the same side was still under way when this one was made. */
function cameWhileOther({ columns }: Log, request: Row): boolean {
  for (let index = request.seq - 2; index >= Math.max(0, request.seq - MOST_BEFORE); index--) {
    if (columns.kind(index) !== 'request' || columns.direction(index) !== request.direction) continue;
    const ended = Math.min(columns.peer(index) ?? Infinity, columns.givenUp(index) ?? Infinity);
    if (ended > request.seq) return true;
  }
  return false;
}

/** The same request sent again behind its answer: a frame says so, and the next request of the method is it. */
function nextRound(log: Log, request: Row, answer: number): { retry: number; request: number } | undefined {
  const until = Math.min(log.size, answer + NEAR);
  let retry: number | undefined;
  for (let seq = answer + 1; seq <= until; seq++) {
    const row = log.row(seq - 1);
    if (retry === undefined && isRetryOf(log, row, request)) retry = seq;
    else if (retry !== undefined && isSameAsked(row, request)) return { retry, request: seq };
  }
  return undefined;
}

function firstRound(log: Log, requestSeq: number): number {
  let first = requestSeq;
  for (let rounds = 0; rounds < MOST_ROUNDS; rounds++) {
    const before = roundBefore(log, first);
    if (before === undefined) break;
    first = before;
  }
  return first;
}

function roundBefore(log: Log, requestSeq: number): number | undefined {
  const request = log.row(requestSeq - 1);
  for (let seq = requestSeq - 1; seq >= Math.max(1, requestSeq - NEAR); seq--) {
    const answer = log.row(seq - 1);
    if (answer.peer === undefined || (answer.kind !== 'response' && answer.kind !== 'error')) continue;
    const asked = log.row(answer.peer - 1);
    if (isSameAsked(asked, request) && nextRound(log, asked, seq)?.request === requestSeq) return asked.seq;
  }
  return undefined;
}

function isSameAsked(row: Row, request: Row): boolean {
  return row.kind === 'request' && row.direction === request.direction && row.method === request.method;
}

function isRetryOf(log: Log, row: Row, request: Row): boolean {
  if (row.kind !== 'lifecycle') return false;
  const event = log.json(row.seq - 1)?.value;
  return isObject(event) && own(event, 'event') === 'retry' && idKey(own(event, 'id')) === idKey(request.id);
}

/** The longest text that is told of one. */
const SHOWN = 200;

/** What a notification of a call says in a few words: how far it is, what was logged. A server's text; undefined for nothing. */
export function formatPartNotification(log: Log, seq: number): string | undefined {
  const params = messageSource(log, seq)?.member('params')?.value;
  if (!isObject(params)) return undefined;
  const [progress, total, message, data] = ['progress', 'total', 'message', 'data'].map((name) => own(params, name));
  const far =
    typeof progress === 'number' ? `${progress}${typeof total === 'number' ? ` of ${total}` : ''}` : undefined;
  const said = [message, data].find((value) => typeof value === 'string');
  const words = [far, said].filter((part) => part !== undefined).join(' · ');
  return words === '' ? undefined : words.slice(0, SHOWN);
}

/** Says why the frame `seq` is not paired with the request that it seems to answer. Quotes the server. */
export function explainUnmatched(log: Log, seq: number, requestSeq: number): string {
  const { kind, id } = log.row(seq - 1);
  const requested = log.row(requestSeq - 1).id;
  if (kind === 'response' || kind === 'error') return explainIdMismatch(id, requested) ?? 'It came before the request.';
  // No character has more than four bytes.
  const text = decodeLossy(log.wholeBytes(seq - 1).subarray(0, 4 * EXPLAINED_CHARS + 1));
  return explainBrokenAnswer(text, log.printed.from(seq)?.lines.length ?? 1, requested);
}
