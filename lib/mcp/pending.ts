import type { Clock } from '@/lib/wire/clock';
import { idKey, type JsonObject, type RequestId } from '@/lib/wire/message';
import type { Outcome } from './outcome';

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
