import { canonicalSource } from '@/lib/json/canonical';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import type { Failure } from '@/lib/wire/lifecycle';
import type { RequestId } from '@/lib/wire/message';
import { textHash } from '@/lib/wire/text-hash';
import { responseOf } from './outcome';

/** Most calls of one batch, and most of them in flight at a time. */
export const BATCH_LIMITS = { calls: 1000, jobs: 100 } as const;

/** How many calls, and how many at a time. */
export interface BatchPlan {
  readonly calls: number;
  readonly jobs: number;
}

/** Sends and cancels the calls of a batch. */
export interface BatchPort {
  /** Sends the call. Resolves to its frame. Rejects with a Failure. */
  readonly send: () => Promise<number | undefined>;
  readonly cancel: (id: RequestId) => void;
}

/**
 * Sends the same call several times. It remembers only the frames of its calls: how they went is read from the log. It
 * goes on while another panel is shown, and ends with the page.
 */
export class CallBatch {
  readonly plan: BatchPlan;
  readonly #log: Log;
  readonly #port: BatchPort;
  readonly #seqs: number[] = [];
  readonly #pending = new Set<number>();
  readonly #listeners = new Set<() => void>();
  readonly #stopListening: () => void;
  readonly #cancelled = new Set<number>();
  #sending = 0;
  /** No more calls are sent: all were, one failed to be sent, or the user stopped them. */
  #ended = false;
  #stopped = false;
  #failure: Failure | undefined;
  #version = 0;

  constructor(log: Log, plan: BatchPlan, port: BatchPort) {
    this.#log = log;
    this.plan = plan;
    this.#port = port;
    this.#stopListening = log.subscribe(() => this.#look());
    this.#pump();
  }

  /** The frames of the calls, in the order sent. */
  get seqs(): readonly number[] {
    return this.#seqs;
  }

  /** No call is sent any more, and none is in flight. */
  get isDone(): boolean {
    return this.#ended && this.#pending.size === 0 && this.#sending === 0;
  }

  get inFlight(): number {
    return this.#pending.size;
  }

  /** Why a call could not be sent. The batch then sends no more. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Sends no more calls, and cancels those in flight. */
  stop(): void {
    this.#ended = true;
    this.#stopped = true;
    this.#cancelPending();
    this.#changed();
  }

  /** Cancels each call once its frame is in the log. */
  #cancelPending(): void {
    for (const seq of this.#pending) {
      const id = this.#log.exchange(seq)?.id;
      if (id === undefined || id === null || this.#cancelled.has(seq)) continue;
      this.#cancelled.add(seq);
      this.#port.cancel(id);
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Changes with every change of the batch. */
  readonly snapshot = (): number => this.#version;

  #changed(): void {
    this.#version++;
    if (this.isDone) this.#stopListening();
    for (const listener of [...this.#listeners]) listener();
  }

  /** Called when the log grew. */
  #look(): void {
    if (this.#stopped) this.#cancelPending();
    const before = this.#pending.size;
    for (const seq of this.#pending) {
      const status = this.#log.exchange(seq)?.status;
      if (status !== undefined && status !== 'pending') this.#pending.delete(seq);
    }
    if (this.#pending.size === before) return;
    this.#pump();
    this.#changed();
  }

  #pump(): void {
    const { calls, jobs } = this.plan;
    while (!this.#ended && this.#pending.size + this.#sending < jobs) {
      if (this.#seqs.length + this.#sending >= calls) {
        this.#ended = true;
        return;
      }
      this.#sending++;
      this.#port.send().then(
        (seq) => this.#onSent(seq),
        (failure: Failure) => this.#onSent(undefined, failure),
      );
    }
  }

  #onSent(seq: number | undefined, failure?: Failure): void {
    this.#sending--;
    if (seq !== undefined) {
      this.#seqs.push(seq);
      this.#pending.add(seq);
    }
    if (failure) {
      this.#failure ??= failure;
      this.#ended = true;
    }
    this.#look();
    this.#pump();
    this.#changed();
  }
}

/** How one call went. `input` asks for input; `failed` is a protocol error or no answer over HTTP. */
export type CallResult = 'ok' | 'isError' | 'input' | 'failed' | 'timeout' | 'cancelled' | 'pending';

/** Calls with the same answer. */
export interface AnswerGroup {
  /** The calls' frames, in the order answered. */
  readonly seqs: readonly number[];
  /** The first answer's frame. */
  readonly answer: number;
}

const NO_META: ReadonlySet<string> = new Set(['_meta']);

/**
 * Groups calls by their answers: equal JSON in any spelling, without `_meta`. Each answer is read once.
 */
export class AnswerGroups {
  readonly #log: Log;
  readonly #groups = new Map<string, { readonly seqs: number[]; readonly answer: number }>();
  readonly #seen = new Set<number>();
  readonly #asking = new Set<number>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** True for a call whose answer asks for input (`input_required`, 2026-07-28). */
  asksForInput(seq: number): boolean {
    return this.#asking.has(seq);
  }

  /** Adds the calls that were answered since the last time. Returns the groups, largest first. */
  update(seqs: readonly number[]): readonly AnswerGroup[] {
    for (const seq of seqs) if (!this.#seen.has(seq)) this.#add(seq);
    return [...this.#groups.values()].sort((a, b) => b.seqs.length - a.seqs.length);
  }

  #add(seq: number): void {
    const exchange = this.#log.exchange(seq);
    const response = responseOf(this.#log, exchange);
    const answer = response?.result ?? response?.error;
    if (exchange?.responseSeq === undefined || answer === undefined) return;
    this.#seen.add(seq);
    if (answer.member('resultType')?.value === 'input_required') this.#asking.add(seq);
    const key = keyOf(canonicalSource(answer, NO_META));
    const group = this.#groups.get(key);
    if (group) group.seqs.push(seq);
    else this.#groups.set(key, { seqs: [seq], answer: exchange.responseSeq });
  }
}

/** Characters of an answer that is kept as it is. Thousands of longer ones would fill the memory. */
const KEPT = 4096;

/** Returns the text, or a hash of a long one. */
function keyOf(text: string): string {
  return text.length <= KEPT ? text : textHash(text);
}

/** Returns how a call went. `wantsInput` says whether its answer asks for input. */
export function callResult(exchange: Exchange | undefined, wantsInput: boolean): CallResult {
  const status = exchange?.status ?? 'pending';
  if (status === 'ok') return wantsInput ? 'input' : 'ok';
  if (status === 'tool-error') return 'isError';
  return status === 'pending' || status === 'timeout' || status === 'cancelled' ? status : 'failed';
}
