import { LIMITS } from '@/lib/wire/limits';

/** An event with an id, on its stream. */
interface Kept<S> {
  readonly stream: S;
  readonly id: string;
  readonly text: string;
}

/** What was said lately on event streams, each an `S`, for clients that come back for the rest: the oldest goes first, within limits. */
export class KeptEvents<S> {
  readonly #events = new Map<string, Kept<S>>();
  #streams = 0;
  #chars = 0;

  /** What the ids of one more stream begin with. */
  nextStream(): number {
    return ++this.#streams;
  }

  add(event: Kept<S>): void {
    this.#events.set(event.id, event);
    this.#chars += event.text.length;
    for (const [id, { text }] of this.#events) {
      const fits = this.#events.size <= LIMITS.replayKept && this.#chars <= LIMITS.replayKeptChars;
      if (fits || id === event.id) return;
      this.#events.delete(id);
      this.#chars -= text.length;
    }
  }

  /** The stream that this event was on, if it is still known. */
  streamOf(id: string): S | undefined {
    return this.#events.get(id)?.stream;
  }

  /** What was said on a stream after this event. */
  after(id: string, stream: S): readonly Kept<S>[] {
    const events = [...this.#events.values()];
    return events.slice(events.findIndex((event) => event.id === id) + 1).filter((event) => event.stream === stream);
  }
}
