import type { RingReader, RingRecord } from './ring';

/** Records a piece. Returns a promise if that takes long; it calls `pause` in between. Never rejects. */
type RecordPiece = (record: RingRecord, pause: () => Promise<void>) => Promise<void> | undefined;

/** After so much work at a time, in ms, the thread takes its messages. */
const TURN_MS = 10;

/** Records what has passed, in order. A record leaves the ring once it is written, so that its sender knows. */
export class RecordingQueue {
  readonly #ring: RingReader;
  readonly #record: RecordPiece;
  #working: Promise<void> | undefined;

  constructor(ring: RingReader, record: RecordPiece) {
    this.#ring = ring;
    this.#record = record;
  }

  /** Call this when there is something in the ring. */
  wake(): void {
    if (this.#working) return;
    const waiting = this.#recordSome();
    if (!waiting) return;
    this.#working = this.#workOn(waiting).finally(() => {
      this.#working = undefined;
    });
  }

  /** Resolves once everything is recorded. Never rejects. */
  async end(): Promise<void> {
    do {
      this.wake();
      await this.#working;
    } while (this.#ring.used > 0);
  }

  async #workOn(waiting: Promise<void>): Promise<void> {
    for (let next: Promise<void> | undefined = waiting; next; next = this.#recordSome()) await next;
  }

  /** Returns a promise if more is to be done after it, and undefined if everything is recorded. */
  #recordSome(): Promise<void> | undefined {
    const until = performance.now() + TURN_MS;
    do {
      while (this.#ring.used > 0) {
        const recorded = this.#record(this.#ring.read(), this.#pause);
        if (recorded) return recorded.then(() => this.#ring.drop());
        this.#ring.drop();
        if (performance.now() > until) return nextTurn();
      }
    } while (!this.#ring.sleep());
    return undefined;
  }

  readonly #pause = (): Promise<void> => {
    this.#ring.pause();
    return nextTurn();
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
