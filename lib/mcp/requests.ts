import { isObject, type JsonObject, own } from '@/lib/json/value';
import { METHODS } from '@/lib/protocol/methods';
import type { HttpFailure } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { idKey, messageText, type RequestId, type RpcError } from '@/lib/wire/message';
import { formatTraceparent, newSpanIn, newTrace, TRACEPARENT, type TraceContext } from '@/lib/wire/trace-context';
import { PROBE_ID } from './probe-id';

/**
 * How one of our requests ended. `result` is unchecked. `lost`: the server went away before it answered, or HTTP
 * brought no answer. `http` is set if HTTP refused the request, whatever the body said.
 */
export type RequestOutcome =
  | {
      readonly kind: 'result';
      readonly result: unknown;
      /** Set for the result of a task: the request whose response holds it. */
      readonly heldBy?: 'tasks/get' | 'tasks/result';
    }
  | { readonly kind: 'error'; readonly error: RpcError; readonly http?: HttpFailure }
  | {
      readonly kind: 'lost';
      readonly http?: HttpFailure;
      /** Why the answer that came can’t be used: it has another id, or is not a message. */
      readonly unusable?: Failure;
      /** Why the task of the request is not followed to its end. */
      readonly task?: Failure;
    }
  | { readonly kind: 'timeout' | 'cancelled' };

/**
 * Reads a response, leniently: servers add `"error":null` to results, send text for errors and leave `jsonrpc` out.
 * Returns undefined for a message with neither `result` nor `error`.
 */
export function outcomeOf(message: JsonObject): RequestOutcome | undefined {
  const error = own(message, 'error');
  const hasResult = Object.hasOwn(message, 'result');
  if (isObject(error)) return { kind: 'error', error: readError(error) };
  if (hasResult) return { kind: 'result', result: message.result };
  if (!Object.hasOwn(message, 'error')) return undefined;
  return { kind: 'error', error: { code: 0, message: typeof error === 'string' ? error : '' } };
}

function readError(error: JsonObject): RpcError {
  const code = own(error, 'code');
  const message = own(error, 'message');
  return {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : '',
    ...(Object.hasOwn(error, 'data') ? { data: error.data } : {}),
  };
}

export interface RequestOptions {
  /** Longest silence in ms; {@link LIMITS.requestMs} if absent. */
  readonly timeoutMs?: number;
  /** Progress restarts the timeout; true if absent. */
  readonly resetOnProgress?: boolean;
  /** Longest wait in total in ms; {@link LIMITS.requestMaxMs} if absent. */
  readonly maxMs?: number;
  /** Called with the unchecked params of each progress notification. */
  readonly onProgress?: (params: JsonObject) => void;
  /** Called with the exact text that holds the answer: a message, or a batch. */
  readonly onAnswer?: ((text: string, method: string) => void) | undefined;
  /** The trace that the request belongs to, if requests are traced. Absent: a trace of its own. */
  readonly trace?: TraceContext | undefined;
}

/** A request that is not sent yet: its text, and how to wait for its answer. */
export interface RequestPlan {
  readonly text: string;
  readonly request: Omit<PendingRequest, 'text' | 'token' | 'settle'>;
}

const DEFAULT_TIMES = { timeoutMs: LIMITS.requestMs, maxMs: LIMITS.requestMaxMs };
const ENDLESS = { timeoutMs: Number.POSITIVE_INFINITY, maxMs: Number.POSITIVE_INFINITY };

/**
 * Plans a request. `given` are its timeouts unless the options name others. `params` is JSON text and is copied into
 * the message as it stands (see {@link messageText}). `_meta` gets `eraMeta` and the progress token, except for keys
 * that `params` sets itself. Throws JsonTextError `params-not-json`.
 */
export function planRequest(
  id: RequestId,
  method: string,
  params: string | undefined,
  eraMeta: JsonObject,
  { onProgress, onAnswer, ...options }: RequestOptions,
  given: Pick<RequestOptions, 'timeoutMs' | 'maxMs'> = {},
): RequestPlan {
  const row = METHODS.get(method);
  const meta = row?.progress === true ? { ...eraMeta, progressToken: id } : eraMeta;
  const defaults = row?.endless === true ? ENDLESS : { ...DEFAULT_TIMES, ...given };
  const times = {
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    maxMs: options.maxMs ?? defaults.maxMs,
    resetOnProgress: options.resetOnProgress ?? true,
  };
  const cancellation = row?.cancellable === false ? 'never' : 'notified';
  return {
    text: messageText(method, id, params, meta),
    request: { id, method, cancellation, times, onProgress, onAnswer },
  };
}

/**
 * Methods whose requests carry no trace context: servers of the first versions may check `initialize` strictly, and
 * nothing happens in it that anybody would trace.
 */
const UNTRACED: ReadonlySet<string> = new Set(['initialize']);

/** Returns the members of `_meta` that put a request into a trace: as a new span of `trace`, or of a new trace. */
export function traceMeta(method: string, trace: TraceContext = newTrace()): JsonObject {
  return UNTRACED.has(method) ? {} : { [TRACEPARENT]: formatTraceparent(newSpanIn(trace)) };
}

/** Plans auto mode's probe. The handshake reports its outcome, so it is never cancelled by a message. */
export function planProbe(eraMeta: JsonObject, timeoutMs: number): RequestPlan {
  const method = 'server/discover';
  const times = { timeoutMs, maxMs: timeoutMs, resetOnProgress: false };
  return {
    text: messageText(method, PROBE_ID, undefined, eraMeta),
    request: { id: PROBE_ID, method, cancellation: 'silent', times },
  };
}

/** When to stop waiting, in milliseconds. Infinity waits forever. */
interface RequestTimes {
  /** Longest silence. */
  readonly timeoutMs: number;
  /** True: each progress notification restarts the timeout. */
  readonly resetOnProgress: boolean;
  /** Longest wait in total, whatever progress comes. */
  readonly maxMs: number;
}

/** One of our requests that has no answer yet. */
export interface PendingRequest {
  readonly id: RequestId;
  readonly method: string;
  /** The whole message, as it was sent. */
  readonly text: string;
  /** The token of the request's progress notifications. */
  readonly token: RequestId | undefined;
  /** Whether cancelling it sends a notification (`notified`), sends nothing (`silent`) or is not allowed (`never`). */
  readonly cancellation: 'notified' | 'silent' | 'never';
  readonly times: RequestTimes;
  readonly onProgress?: RequestOptions['onProgress'];
  readonly onAnswer?: RequestOptions['onAnswer'];
  readonly settle: (outcome: RequestOutcome) => void;
}

interface Entry {
  readonly request: PendingRequest;
  sentAt: number;
  lastProgressAt: number;
  cancelTimer: () => void;
}

/** Our requests that wait for an answer, by id and its JSON type, with their timeouts. */
export class PendingTable {
  readonly #clock: Clock;
  readonly #onTimeout: (request: PendingRequest, afterMs: number) => void;
  readonly #byId = new Map<string, Entry>();
  readonly #byToken = new Map<string, Entry>();
  /** Start of the current hold, on the clock. */
  #heldAt: number | undefined;

  /** `onTimeout` is called after a request was removed, before it is settled as `timeout`. */
  constructor(clock: Clock, onTimeout: (request: PendingRequest, afterMs: number) => void) {
    this.#clock = clock;
    this.#onTimeout = onTimeout;
  }

  add(request: PendingRequest): void {
    const now = this.#clock.now();
    const entry: Entry = { request, sentAt: now, lastProgressAt: now, cancelTimer: () => {} };
    this.#byId.set(idKey(request.id), entry);
    if (request.token !== undefined) this.#byToken.set(idKey(request.token), entry);
    this.#startTimer(entry);
  }

  get(id: RequestId): PendingRequest | undefined {
    return this.#byId.get(idKey(id))?.request;
  }

  /** All pending requests, oldest first. */
  get all(): readonly PendingRequest[] {
    return Array.from(this.#byId.values(), ({ request }) => request);
  }

  /** Removes a request without settling it. */
  remove(id: RequestId): PendingRequest | undefined {
    const key = idKey(id);
    const entry = this.#byId.get(key);
    if (entry === undefined) return undefined;
    entry.cancelTimer();
    this.#byId.delete(key);
    const { token } = entry.request;
    if (token !== undefined && this.#byToken.get(idKey(token)) === entry) this.#byToken.delete(idKey(token));
    return entry.request;
  }

  /** Removes a request and settles it. Does nothing if none is pending under this id. */
  settle(id: RequestId, outcome: RequestOutcome): void {
    this.remove(id)?.settle(outcome);
  }

  settleAll(outcome: RequestOutcome): void {
    for (const { request } of [...this.#byId.values()]) this.settle(request.id, outcome);
  }

  /** Handles a progress notification with this token. */
  onProgress(token: RequestId, params: JsonObject): void {
    const entry = this.#byToken.get(idKey(token));
    if (entry === undefined) return;
    entry.lastProgressAt = this.#clock.now();
    entry.request.onProgress?.(params);
  }

  /** Stops all timeouts, because no answer can come. */
  hold(): void {
    this.#heldAt ??= this.#clock.now();
  }

  /** Resumes the timeouts. The time since {@link hold} does not count. */
  release(): void {
    const heldAt = this.#heldAt;
    if (heldAt === undefined) return;
    this.#heldAt = undefined;
    const now = this.#clock.now();
    for (const entry of this.#byId.values()) {
      entry.lastProgressAt += now - Math.max(heldAt, entry.lastProgressAt);
      entry.sentAt += now - Math.max(heldAt, entry.sentAt);
      entry.cancelTimer();
      this.#startTimer(entry);
    }
  }

  #dueAt({ request: { times }, sentAt, lastProgressAt }: Entry): number {
    const silentSince = times.resetOnProgress ? lastProgressAt : sentAt;
    return Math.min(silentSince + times.timeoutMs, sentAt + times.maxMs);
  }

  #startTimer(entry: Entry): void {
    const dueAt = this.#dueAt(entry);
    if (dueAt === Number.POSITIVE_INFINITY) return;
    entry.cancelTimer = this.#clock.after(dueAt - this.#clock.now(), () => this.#onTimer(entry));
  }

  /** Progress only updates a time, which is read here. So a flood of progress creates no timers. */
  #onTimer(entry: Entry): void {
    if (this.#heldAt !== undefined) return;
    const now = this.#clock.now();
    if (this.#dueAt(entry) > now) {
      this.#startTimer(entry);
      return;
    }
    const { request } = entry;
    this.remove(request.id);
    this.#onTimeout(request, Math.round(now - entry.sentAt));
    request.settle({ kind: 'timeout' });
  }
}

/** Integer ids for our requests, from 1 up, without those in use. */
export class RequestIds {
  readonly #reserved = new Set<number>();
  #next = 1;

  next(): number {
    while (this.#reserved.has(this.#next)) this.#next++;
    return this.#next++;
  }

  /** True for an integer that is, or was, the id of one of our requests, or is reserved. */
  isUsed(integer: number): boolean {
    return (Number.isInteger(integer) && integer > 0 && integer < this.#next) || this.#reserved.has(integer);
  }

  /** Keeps {@link next} from returning this integer, which is already an id or a progress token. */
  reserve(integer: number): void {
    this.#reserved.add(integer);
  }
}

/** Returns the progress token in a request's params, whether the user or the engine set it. */
export function sentProgressToken(message: unknown): RequestId | undefined {
  const params = isObject(message) ? own(message, 'params') : undefined;
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  const token = isObject(meta) ? own(meta, 'progressToken') : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The ids and tokens that a hand-written text uses. */
interface SentIds {
  /** Integers that are ids or progress tokens. */
  readonly integers: readonly number[];
  /** Ids of requests that the text answers. */
  readonly answered: readonly RequestId[];
}

/** Reads the ids in a hand-written message or batch. Text that is not JSON has none. Never throws. */
export function sentIdsIn(text: string): SentIds {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return { integers: [], answered: [] };
  }
  const [integers, answered]: [number[], RequestId[]] = [[], []];
  for (const message of Array.isArray(sent) ? sent : [sent]) {
    if (!isObject(message)) continue;
    const id = own(message, 'id');
    const token = sentProgressToken(message);
    if (typeof id === 'number') integers.push(id);
    if (typeof token === 'number') integers.push(token);
    const isAnswer = Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error');
    if (isAnswer && (typeof id === 'string' || typeof id === 'number')) answered.push(id);
  }
  return { integers, answered };
}
