import { isObject, own } from '@/lib/json/value';
import { FLAG } from '@/lib/wire/frame';
import { idKey } from '@/lib/wire/message';
import { isTaskMethod } from '@/lib/wire/task';
import { decodeLossy } from '../classify';
import type { Log } from '../log';
import type { Row } from '../rows/row';
import { EXPLAINED_CHARS, explainBrokenAnswer, explainIdMismatch } from './answer-faults';
import { startsWork } from './request-origin';

/** Most frames read after a request. Later frames of the exchange are left out. */
const MOST_FRAMES = 3000;
/** Most frames searched before a request for other requests in flight. Each takes nanoseconds. */
const MOST_BEFORE = 100_000;
/** Most frames between a response and its retry. */
const RETRY_DISTANCE = 100;
/** Most attempts of one request that are followed. */
const MOST_ATTEMPTS = 20;

/**
 * A frame's role in an exchange. `asked`: a request from the other side in the meantime. `answered`: the response to
 * that. `again`: the event that announces a retry. `second`: a second response. `unmatched`: a frame that looks like
 * the response. `task` and `told`: a later request about the task that the call started, and the response to it.
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
  | 'task'
  | 'told'
  | 'unmatched';

const ANSWERING: ReadonlySet<PartRole> = new Set<PartRole>(['answered', 'response', 'second', 'told']);

export interface ExchangePart {
  readonly role: PartRole;
  readonly row: Row;
  /** Microseconds since the first request. */
  readonly afterUs: number;
  /** For a response: microseconds since its request. */
  readonly tookUs: number | undefined;
  /** False if the frame may belong to another request in flight. */
  readonly sure: boolean;
}

/** A request and everything until its response, in the order of the log, including retries. */
interface ExchangeTimeline {
  readonly parts: readonly ExchangePart[];
  /** Microseconds from the first request to the last response, if there is one. */
  readonly tookUs: number | undefined;
  /** True if some frames were left out. */
  readonly cut: boolean;
}

/** Returns the request that a frame belongs to: itself, or the one it answers, seems to answer or reports on. */
export function requestOf(log: Log, row: Row): number | undefined {
  if (row.channel !== 'protocol') return undefined;
  const about = row.kind === 'request' ? row.seq : (row.peer ?? row.unmatched);
  const call = taskCallOf(log, row, about);
  if (call !== undefined) return call;
  return about !== undefined && log.exchange(about) ? about : undefined;
}

/** Returns the call whose task a frame is about, or a request that it belongs to. */
function taskCallOf(log: Log, row: Row, request = row.seq): number | undefined {
  const isAbout = isTaskMethod(log.columns.method(request - 1)) || row.kind === 'notification';
  const owner = isAbout ? log.relations.ownerOf(request) : undefined;
  return owner !== undefined && (row.method ?? '').includes('tasks/') ? owner : undefined;
}

/** Returns the timeline of a request. Reads the frames up to its response, so call it only when the log has grown. */
export function exchangeTimeline(log: Log, requestSeq: number): ExchangeTimeline {
  const first = firstAttempt(log, requestSeq);
  const start = log.row(first - 1).time;
  const parts: ExchangePart[] = [];
  const part = (role: PartRole, row: Row, sure = true) => {
    const answers = ANSWERING.has(role);
    parts.push({ role, row, afterUs: row.time - start, tookUs: answers ? row.durationUs : undefined, sure });
  };
  let cut = false;
  let last: number | undefined;
  for (let attempt = first, attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
    const request = log.row(attempt - 1);
    const end = request.peer;
    part('request', request);
    const until = Math.min(log.size, end === undefined ? log.size : end - 1, attempt + MOST_FRAMES);
    cut ||= until === attempt + MOST_FRAMES;
    addFramesBetween(log, request, until, part);
    last = end;
    if (end === undefined) break;
    part('response', log.row(end - 1));
    if (request.isTask) {
      addTaskFrames(log, first, request, part);
      last = log.columns.taskEnd(request.seq - 1);
      cut ||= log.relations.membersOf(first, MOST_FRAMES).length === MOST_FRAMES;
      break;
    }
    for (const second of secondAnswers(log, request.seq)) part('second', second);
    const again = nextAttempt(log, request, end);
    if (again === undefined) break;
    part('again', log.row(again.retry - 1));
    attempt = again.request;
  }
  return { parts, tookUs: last === undefined ? undefined : log.row(last - 1).time - start, cut };
}

/** Adds the frames after a task was started: polls, questions, notifications, and its result. */
function addTaskFrames(log: Log, first: number, call: Row, part: (role: PartRole, row: Row) => void): void {
  const frames = new Map<number, PartRole>();
  for (const seq of log.relations.membersOf(first, MOST_FRAMES)) {
    if (seq <= call.peer!) continue;
    const { kind, direction, peer } = log.row(seq - 1);
    const isOurs = direction === call.direction;
    frames.set(seq, kind === 'request' ? (isOurs ? 'task' : 'asked') : peer === call.seq ? 'progress' : 'notification');
    if (kind === 'request' && peer !== undefined) frames.set(peer, isOurs ? 'told' : 'answered');
  }
  const end = log.exchange(call.seq)?.responseSeq;
  if (end !== undefined) frames.set(end, 'response');
  for (const seq of [...frames.keys()].sort((a, b) => a - b)) part(frames.get(seq)!, log.row(seq - 1));
}

/** Returns the responses to a request after the first one. */
function secondAnswers(log: Log, request: number): Row[] {
  const members = log.relations.membersOf(request, MOST_FRAMES);
  return members
    .map((seq) => log.row(seq - 1))
    .filter(({ isSecondAnswer, peer }) => isSecondAnswer && peer === request);
}

/** Adds the frames between a request and `until`. */
function addFramesBetween(
  log: Log,
  request: Row,
  until: number,
  part: (role: PartRole, row: Row, sure?: boolean) => void,
) {
  const rows = Array.from({ length: Math.max(0, until - request.seq) }, (_, index) => log.row(request.seq + index));
  const alone = request.exchange === undefined && isAlone(log, request, until);
  /**
   * Returns true if a frame certainly belongs to the request: over HTTP on its exchange, on stdio with nothing else in
   * flight.
   */
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

/** Returns true if no other request of the same side was in flight from a request until frame `until`. */
export function isAlone(log: Log, request: Row, until: number): boolean {
  const { columns } = log;
  for (let index = request.seq; index < until; index++) {
    if (isWork(columns, index, request)) return false;
  }
  return !isAnotherInFlight(log, request);
}

/** True if an earlier request of the same side was in flight when this one was sent. */
function isAnotherInFlight({ columns }: Log, request: Row): boolean {
  for (let index = request.seq - 2; index >= Math.max(0, request.seq - MOST_BEFORE); index--) {
    if (!isWork(columns, index, request)) continue;
    const ended = Math.min(columns.peer(index) ?? Infinity, columns.givenUp(index) ?? Infinity);
    if (ended > request.seq) return true;
  }
  return false;
}

/** True for a request of the same side that makes the other one work. */
function isWork(columns: Log['columns'], index: number, { direction }: Row): boolean {
  return (
    columns.kind(index) === 'request' && columns.direction(index) === direction && startsWork(columns.method(index))
  );
}

/**
 * Finds the retry of a request: the next request with the same method after a `retry` event that follows the response.
 */
function nextAttempt(log: Log, request: Row, answer: number): { retry: number; request: number } | undefined {
  const until = Math.min(log.size, answer + RETRY_DISTANCE);
  let retry: number | undefined;
  for (let seq = answer + 1; seq <= until; seq++) {
    const row = log.row(seq - 1);
    if (retry === undefined && isRetryOf(log, row, request)) retry = seq;
    else if (retry !== undefined && isSameAsked(row, request)) return { retry, request: seq };
  }
  return undefined;
}

function firstAttempt(log: Log, requestSeq: number): number {
  let first = requestSeq;
  for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
    const before = previousAttempt(log, first);
    if (before === undefined) break;
    first = before;
  }
  return first;
}

function previousAttempt(log: Log, requestSeq: number): number | undefined {
  const request = log.row(requestSeq - 1);
  for (let seq = requestSeq - 1; seq >= Math.max(1, requestSeq - RETRY_DISTANCE); seq--) {
    const answer = log.row(seq - 1);
    if (answer.peer === undefined || (answer.kind !== 'response' && answer.kind !== 'error')) continue;
    const asked = log.row(answer.peer - 1);
    if (isSameAsked(asked, request) && nextAttempt(log, asked, seq)?.request === requestSeq) return asked.seq;
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

export const NO_NEWLINE = 'There is no newline after it.';

/** True for a line of stdout without a newline after it, and for the event about one. */
export function isUnended({ kind, flags }: Pick<Row, 'kind' | 'flags'>): boolean {
  return kind === 'lifecycle' || (flags & FLAG.unterminated) !== 0;
}

/** Returns the start of the text, on stdout or in an HTTP body, that looks like a response. */
export function unmatchedText(log: Log, seq: number): string {
  const event = log.row(seq - 1).kind === 'lifecycle' ? log.json(seq - 1)?.value : undefined;
  const text = isObject(event) && own(event, 'text');
  return typeof text === 'string' ? text : decodeLossy(log.wholeBytes(seq - 1).subarray(0, 4096));
}

/** Explains why frame `seq` is not paired with the request that it seems to answer. Quotes the server. */
export function explainUnmatched(log: Log, seq: number, requestSeq: number): string {
  const row = log.row(seq - 1);
  const { kind, id } = row;
  const requested = log.row(requestSeq - 1).id;
  if (kind === 'response' || kind === 'error') return explainIdMismatch(id, requested) ?? 'It came before the request.';
  if (isUnended(row)) return NO_NEWLINE;
  // A character has at most four bytes.
  const text = decodeLossy(log.wholeBytes(seq - 1).subarray(0, 4 * EXPLAINED_CHARS + 1));
  return explainBrokenAnswer(text, log.printed.objectStartingAt(seq)?.lines.length ?? 1, requested);
}
