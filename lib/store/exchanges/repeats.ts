import type { Frame } from '@/lib/wire/frame';
import type { Classified } from '../classify';
import { SparseColumn } from '../columns/collections';
import type { Derivation } from '../derivation';
import type { InterceptedMessage, Interceptions } from './interceptions';

/** Equal notifications are one row if they arrive within this time of the first, in µs. */
const WITHIN_US = 1_000_000;
/** Most different notifications that are remembered. */
const MOST_OPEN = 64;
/** Longer notifications are not compared, in bytes, so that a frame costs O(1). */
const MOST_BYTES = 1024;

/** Frames that are one row, that of the first: equal notifications, or the lines of a printed object. */
export interface Fold {
  /** seqs, at least two. */
  readonly lines: readonly number[];
}

/** A notification that equal ones may follow. */
interface Open {
  readonly frame: Frame;
  readonly lines: number[];
}

/**
 * Finds equal notifications: the same bytes in the same direction within a second, with no request or response between
 * them, so that each call keeps what happened during it. The frames that report that a message is still held are equal,
 * too, however long that takes.
 */
export class Repeats implements Derivation {
  readonly #interceptions: Pick<Interceptions, 'of'>;
  /** By the hash of their bytes, the oldest first. */
  readonly #open = new Map<number, Open>();
  /** By hold: the first event and notification of its progress. */
  readonly #holds = new Map<string, Open>();
  /** seq of the first notification of each that has equals. */
  readonly #firsts = new SparseColumn();
  readonly #folds = new Map<number, Fold>();
  #folded = 0;

  constructor(interceptions: Pick<Interceptions, 'of'>) {
    this.#interceptions = interceptions;
  }

  /** Number of notifications that are in the row of an earlier one. */
  get folded(): number {
    return this.#folded;
  }

  addEvent(): void {
    this.#end();
  }

  add(frame: Frame, { kind }: Classified): void {
    const isMessage = frame.channel === 'protocol';
    if (isMessage && kind !== 'notification') this.#end();
    else if (isMessage || frame.channel === 'lifecycle') this.#fold(frame, isMessage);
  }

  #fold(frame: Frame, isMessage: boolean): void {
    const intercepted = this.#interceptions.of(frame.seq)?.event;
    // A person or a rule decided about any other one, so that keeps its row.
    if (intercepted) this.#addProgress(frame, intercepted);
    else if (isMessage) this.#addNotification(frame);
  }

  #addNotification(frame: Frame): void {
    if (frame.bytes.length > MOST_BYTES) return;
    const hash = hashOf(frame.bytes);
    const same = this.#open.get(hash);
    if (!same || frame.time - same.frame.time > WITHIN_US || !areEqual(same.frame, frame)) {
      this.#open.delete(hash);
      this.#open.set(hash, { frame, lines: [frame.seq] });
      if (this.#open.size > MOST_OPEN) this.#open.clear();
      return;
    }
    this.#join(same, frame);
  }

  /** Adds a frame that may report that a message is still held. */
  #addProgress(frame: Frame, { did, hold }: InterceptedMessage['event']): void {
    if (did !== 'progress' || hold === undefined) return;
    const key = `${frame.channel} ${hold}`;
    const same = this.#holds.get(key);
    if (same) this.#join(same, frame);
    else this.#holds.set(key, { frame, lines: [frame.seq] });
    if (this.#holds.size > MOST_OPEN) this.#holds.clear();
  }

  #join(same: Open, frame: Frame): void {
    const first = same.frame.seq;
    if (same.lines.push(frame.seq) === 2) {
      this.#folds.set(first, same);
      this.#firsts.set(first - 1, first);
    }
    this.#firsts.set(frame.seq - 1, first);
    this.#folded++;
  }

  /** Ends all folds, because another message or event came between. */
  #end(): void {
    if (this.#open.size > 0) this.#open.clear();
  }

  /** Returns the fold that contains this frame. */
  of(seq: number): Fold | undefined {
    return this.#folds.get(this.#firsts.get(seq - 1));
  }
}

function areEqual(a: Frame, b: Frame): boolean {
  if (a.bytes.length !== b.bytes.length || a.skimOf !== b.skimOf || a.direction !== b.direction) return false;
  return a.bytes.every((byte, at) => byte === b.bytes[at]);
}

/** Returns a number that is the same for the same bytes (FNV-1a). */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash;
}
