import { messageText } from '@/lib/json/members';
import { idKey, isObject, type JsonObject, own, type RequestId, type RpcError } from '@/lib/json/value';
import { METHODS } from '@/lib/protocol/methods';
import type { HttpFailure } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';

export interface RequestOptions {
  /** Longest silence; {@link LIMITS.requestMs} if absent. */
  readonly timeoutMs?: number;
  /** Progress starts the silence anew; true if absent. */
  readonly resetOnProgress?: boolean;
  /** Longest wait in all; {@link LIMITS.requestMaxMs} if absent. */
  readonly maxMs?: number;
  /** Gets the params of each progress notification, unchecked. */
  readonly onProgress?: (params: JsonObject) => void;
}

/** A request that is not sent yet: its text, and how its answer is to be waited for. */
export interface RequestPlan {
  readonly text: string;
  readonly request: Omit<PendingRequest, 'token' | 'settle'>;
}

/** Id of auto mode's probe. A string, so that it can't meet the integers of other requests. */
export const PROBE_ID = 'mcp-inspect-probe';

const DEFAULT_WAIT = { timeoutMs: LIMITS.requestMs, maxMs: LIMITS.requestMaxMs };
const ENDLESS = { timeoutMs: Number.POSITIVE_INFINITY, maxMs: Number.POSITIVE_INFINITY };

/**
 * `params` is JSON text and stands in the message as it is (see {@link messageText}); `_meta` gets what of `eraMeta` and of what the
 * method needs the user did not give. Throws JsonTextError `params-not-json`.
 */
export function planRequest(
  id: RequestId,
  method: string,
  params: string | undefined,
  eraMeta: JsonObject,
  { onProgress, ...options }: RequestOptions,
): RequestPlan {
  const row = METHODS.get(method);
  const meta = row?.progress === true ? { ...eraMeta, progressToken: id } : eraMeta;
  const wait = row?.endless === true ? ENDLESS : DEFAULT_WAIT;
  const patience = {
    timeoutMs: options.timeoutMs ?? wait.timeoutMs,
    maxMs: options.maxMs ?? wait.maxMs,
    resetOnProgress: options.resetOnProgress ?? true,
  };
  const cancellation = row?.cancellable === false ? 'never' : 'told';
  return { text: messageText(method, id, params, meta), request: { id, method, cancellation, patience, onProgress } };
}

/** Auto mode's question which version the server speaks. What becomes of it is told by the handshake, so nobody calls it off. */
export function planProbe(eraMeta: JsonObject, timeoutMs: number): RequestPlan {
  const method = 'server/discover';
  const patience = { timeoutMs, maxMs: timeoutMs, resetOnProgress: false };
  return {
    text: messageText(method, PROBE_ID, undefined, eraMeta),
    request: { id: PROBE_ID, method, cancellation: 'silent', patience },
  };
}

/** When to stop waiting, in milliseconds. */
interface Patience {
  /** Longest silence; Infinity waits for ever. */
  readonly timeoutMs: number;
  /** True: each progress notification starts the silence anew. */
  readonly resetOnProgress: boolean;
  /** Longest wait in all, however much progress comes. */
  readonly maxMs: number;
}

/** A request of ours that has no answer yet. */
export interface PendingRequest {
  readonly id: RequestId;
  readonly method: string;
  /** Under which progress comes. */
  readonly token: RequestId | undefined;
  /** How it is given up: the server is told, or not told, or it can't be. */
  readonly cancellation: 'told' | 'silent' | 'never';
  readonly patience: Patience;
  readonly onProgress?: (params: JsonObject) => void;
  readonly settle: (outcome: Outcome) => void;
}

interface Entry {
  readonly request: PendingRequest;
  sentAt: number;
  heardAt: number;
  callOff: () => void;
}

/** The requests that wait for an answer, by id and its JSON type, with their clocks. */
export class PendingTable {
  readonly #clock: Clock;
  readonly #expired: (request: PendingRequest, afterMs: number) => void;
  readonly #byId = new Map<string, Entry>();
  readonly #byToken = new Map<string, Entry>();
  /** Since when no silence counts; undefined while it does. */
  #heldAt: number | undefined;

  /** `expired` is told of a request that was taken off the table for its silence, before it is settled as `timeout`. */
  constructor(clock: Clock, expired: (request: PendingRequest, afterMs: number) => void) {
    this.#clock = clock;
    this.#expired = expired;
  }

  add(request: PendingRequest): void {
    const now = this.#clock.now();
    const entry: Entry = { request, sentAt: now, heardAt: now, callOff: () => {} };
    this.#byId.set(idKey(request.id), entry);
    if (request.token !== undefined) this.#byToken.set(idKey(request.token), entry);
    this.#arm(entry);
  }

  get(id: RequestId): PendingRequest | undefined {
    return this.#byId.get(idKey(id))?.request;
  }

  /** All that wait, oldest first. */
  get all(): readonly PendingRequest[] {
    return Array.from(this.#byId.values(), ({ request }) => request);
  }

  /** Takes a request off the table without settling it. */
  remove(id: RequestId): PendingRequest | undefined {
    const key = idKey(id);
    const entry = this.#byId.get(key);
    if (entry === undefined) return undefined;
    entry.callOff();
    this.#byId.delete(key);
    const { token } = entry.request;
    if (token !== undefined && this.#byToken.get(idKey(token)) === entry) this.#byToken.delete(idKey(token));
    return entry.request;
  }

  /** False if nothing waits under this id. */
  settle(id: RequestId, outcome: Outcome): boolean {
    const request = this.remove(id);
    request?.settle(outcome);
    return request !== undefined;
  }

  settleAll(outcome: Outcome): void {
    for (const { request } of [...this.#byId.values()]) this.settle(request.id, outcome);
  }

  /** A progress notification came under `token`. */
  progress(token: RequestId, params: JsonObject): void {
    const entry = this.#byToken.get(idKey(token));
    if (entry === undefined) return;
    entry.heardAt = this.#clock.now();
    entry.request.onProgress?.(params);
  }

  /** From now on no silence counts, because no answer can come. */
  hold(): void {
    this.#heldAt ??= this.#clock.now();
  }

  /** Silence counts again, as if the time since {@link hold} had not been. */
  release(): void {
    const heldAt = this.#heldAt;
    if (heldAt === undefined) return;
    this.#heldAt = undefined;
    const now = this.#clock.now();
    for (const entry of this.#byId.values()) {
      entry.heardAt += now - Math.max(heldAt, entry.heardAt);
      entry.sentAt += now - Math.max(heldAt, entry.sentAt);
      entry.callOff();
      this.#arm(entry);
    }
  }

  #due({ request: { patience }, sentAt, heardAt }: Entry): number {
    const quietSince = patience.resetOnProgress ? heardAt : sentAt;
    return Math.min(quietSince + patience.timeoutMs, sentAt + patience.maxMs);
  }

  #arm(entry: Entry): void {
    const due = this.#due(entry);
    if (due === Number.POSITIVE_INFINITY) return;
    entry.callOff = this.#clock.after(due - this.#clock.now(), () => this.#ring(entry));
  }

  /** Progress only notes the time; the alarm looks at it when it rings. So a flood of progress makes no timers. */
  #ring(entry: Entry): void {
    if (this.#heldAt !== undefined) return;
    const now = this.#clock.now();
    if (this.#due(entry) > now) {
      this.#arm(entry);
      return;
    }
    const { request } = entry;
    this.remove(request.id);
    this.#expired(request, Math.round(now - entry.sentAt));
    request.settle({ kind: 'timeout' });
  }
}

/**
 * How one of our requests ended. `result` is what the server sent, unchecked, and may be anything. `lost`: the server went
 * before it answered, or HTTP brought none. `http` is there if HTTP refused the request, whatever the body said.
 */
export type Outcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: RpcError; readonly http?: HttpFailure }
  | { readonly kind: 'lost'; readonly http?: HttpFailure }
  | { readonly kind: 'timeout' | 'cancelled' };

/**
 * Reads a response. Servers add `"error":null` to results, send text for errors and leave `jsonrpc` out; a person who waits
 * for an answer is better served by that answer than by a timeout. With neither member it is no response: undefined.
 */
export function outcomeOf(message: JsonObject): Outcome | undefined {
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

/** The progress token that a request's params carry, whoever put it there. */
export function progressTokenOf(message: unknown): RequestId | undefined {
  const params = isObject(message) ? own(message, 'params') : undefined;
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  const token = isObject(meta) ? own(meta, 'progressToken') : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** What a text sent by hand uses, in a batch too. Nothing if it is no JSON. */
export interface SentMarks {
  /** Integers that are ids or progress tokens. */
  readonly integers: readonly number[];
  /** Ids of requests that it answers. */
  readonly answered: readonly RequestId[];
}

/** Reads them. Never throws. */
export function marksIn(text: string): SentMarks {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return { integers: [], answered: [] };
  }
  const messages: unknown[] = Array.isArray(sent) ? sent : [sent];
  const ids = messages.map((message) => (isObject(message) ? own(message, 'id') : undefined));
  return {
    integers: [...ids, ...messages.map(progressTokenOf)].filter((mark) => typeof mark === 'number'),
    answered: messages
      .filter(isObject)
      .filter((message) => Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'))
      .map((message) => own(message, 'id'))
      .filter((id) => typeof id === 'string' || typeof id === 'number'),
  };
}

/** Ids for our requests: integers from 1 up, without those that are in use. */
export class RequestIds {
  /** Integers given out by somebody else, as ids or progress tokens. */
  readonly #taken = new Set<number>();
  #next = 1;

  next(): number {
    while (this.#taken.has(this.#next)) this.#next++;
    return this.#next++;
  }

  /** None of ours is this integer from now on. */
  reserve(integer: number): void {
    this.#taken.add(integer);
  }
}
