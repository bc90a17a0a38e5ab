import type { JsonSource } from '@/lib/json/source';
import { METHOD } from '@/lib/wire/protocol-names';
import { ownCopy } from './tool-use';

/** Most requests listed that the host gave up. The newest are kept. */
const MOST_GIVEN_UP = 50;
/** Characters kept of a reason. */
const REASON_CHARS = 200;
/** Reasons of clients that cancel because of a timeout: “Request timed out”, “deadline exceeded”. */
const TIMEOUT = /tim(?:ed?|ing)[\s_-]?out|deadline|took too long/i;

/** A request that the host cancelled. Times are in microseconds. */
export interface GivenUp {
  readonly seq: number;
  /** seq of the cancellation. */
  readonly cancelSeq: number;
  readonly method: string;
  /** Tool, prompt or URI. */
  readonly name: string | undefined;
  readonly waitedUs: number;
  /** Since the last progress; absent if there was none. */
  readonly quietUs?: number;
  readonly reason: string | undefined;
  /** The reason says that it took too long. */
  readonly isTimeout: boolean;
}

/** How long a host waits for answers. Times are in microseconds. */
export interface HostWaits {
  /** `timeout`: as its cancellations say. `longest`: at least so long. `none`: it has not waited for anything yet. */
  readonly evidence: 'timeout' | 'longest' | 'none';
  /** How long it waits: the shortest and the longest that was seen. */
  readonly fromUs: number;
  readonly toUs: number;
  /** It waits so long since the last progress, instead of since the request. */
  readonly sinceProgress?: true;
  /** The request that shows it. */
  readonly seq?: number;
  /** The longest wait that ended with an answer. */
  readonly longest?: { readonly seq: number; readonly method: string; readonly us: number };
  /** Requests without an answer at the end of the session, and the longest of their waits. */
  readonly unanswered?: { readonly seq: number; readonly count: number; readonly us: number };
  /** Requests that it cancelled, oldest first. */
  readonly givenUp: readonly GivenUp[];
  /** Number of cancellations, and of those because of a timeout. */
  readonly cancelled: number;
  readonly timeouts: number;
}

/** Collects how long a host waits. */
export class WaitReader {
  readonly #givenUp: GivenUp[] = [];
  #longest: HostWaits['longest'];
  #cancelled = 0;
  #timeouts = 0;
  #timeoutSeq = 0;
  /** Waits before timeouts, and those since the last progress. */
  #waited: Range | undefined;
  #quiet: Range | undefined;

  addAnswer(seq: number, method: string, us: number): void {
    // A subscription is answered when it ends.
    if (method === METHOD.listen || us <= (this.#longest?.us ?? -1)) return;
    this.#longest = { seq, method, us };
  }

  /** Adds a cancellation. `reason` is its member, as the host wrote it. */
  addGivenUp(cancelled: Omit<GivenUp, 'reason' | 'isTimeout'>, reason: JsonSource | undefined): GivenUp {
    const text = reason?.kind === 'string' ? ownCopy(reason.stringStart(REASON_CHARS)) : undefined;
    const isTimeout = text !== undefined && TIMEOUT.test(text);
    this.#cancelled++;
    const givenUp = { ...cancelled, reason: text, isTimeout };
    this.#givenUp.push(givenUp);
    if (this.#givenUp.length > MOST_GIVEN_UP) this.#givenUp.shift();
    if (isTimeout) this.#addTimeout(cancelled);
    return givenUp;
  }

  #addTimeout({ seq, waitedUs, quietUs }: Omit<GivenUp, 'reason' | 'isTimeout'>): void {
    this.#timeouts++;
    this.#timeoutSeq = seq;
    this.#waited = wider(this.#waited, waitedUs);
    this.#quiet = wider(this.#quiet, quietUs ?? waitedUs);
  }

  /** Returns what is known. `unanswered`: the requests that are open at the end of the session. */
  waits(unanswered: HostWaits['unanswered']): HostWaits {
    const shared = {
      ...(this.#longest && { longest: this.#longest }),
      ...(unanswered && { unanswered }),
      givenUp: [...this.#givenUp],
      cancelled: this.#cancelled,
      timeouts: this.#timeouts,
    };
    if (this.#waited && this.#quiet) {
      // A host that starts its timer again at each progress waits longer in all, but always as long since then.
      const sinceProgress = spread(this.#quiet) < spread(this.#waited);
      const { from, to } = sinceProgress ? this.#quiet : this.#waited;
      const seq = this.#timeoutSeq;
      return { evidence: 'timeout', fromUs: from, toUs: to, seq, ...(sinceProgress && { sinceProgress }), ...shared };
    }
    const waited = [
      ...(this.#longest ? [this.#longest] : []),
      ...(unanswered ? [unanswered] : []),
      ...this.#givenUp.map(({ seq, waitedUs }) => ({ seq, us: waitedUs })),
    ].sort((a, b) => b.us - a.us)[0];
    if (!waited) return { evidence: 'none', fromUs: 0, toUs: 0, ...shared };
    return { evidence: 'longest', fromUs: waited.us, toUs: waited.us, seq: waited.seq, ...shared };
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function wider(range: Range | undefined, us: number): Range {
  return { from: Math.min(range?.from ?? us, us), to: Math.max(range?.to ?? us, us) };
}

function spread({ from, to }: Range): number {
  return to / Math.max(1, from);
}
