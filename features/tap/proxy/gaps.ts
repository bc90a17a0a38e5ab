import type { Passed } from './ring';

const LINE_FEED = 10;

/** A stream of bytes, or events of the tap. */
type Missable = Passed | 'events';

/** Messages of a stream that passed without being recorded: about how many. */
export interface Missed {
  readonly stream: Missable;
  readonly messages: number;
}

/** The missing part of a stream: how many messages end in it, and whether it stops within another one. */
interface Gap {
  readonly messages: number;
  readonly isInMessage: boolean;
}

/** Counts what passes without being recorded. A gap in one stream leaves the others as they are. */
export class Gaps {
  readonly #gaps = new Map<Missable, Gap>();
  /** Streams whose next bytes are the end of a message that was counted. */
  readonly #inMessage = new Set<Missable>();

  /** Counts bytes that are not recorded. */
  miss(stream: Passed, chunk: Buffer): void {
    if (chunk.length === 0) return;
    let messages = this.#gaps.get(stream)?.messages ?? 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) messages++;
    this.#gaps.set(stream, { messages, isInMessage: chunk.at(-1) !== LINE_FEED });
  }

  /** Counts an event that is not recorded. */
  missEvent(): void {
    const { messages = 0 } = this.#gaps.get('events') ?? {};
    this.#gaps.set('events', { messages: messages + 1, isInMessage: false });
  }

  /** Ends all gaps and returns them. A message that goes on after its gap is counted, and its end will be dropped. */
  take(): readonly Missed[] {
    const missed = [...this.#gaps].map(([stream, { messages, isInMessage }]) => {
      if (isInMessage) this.#inMessage.add(stream);
      return { stream, messages: messages + (isInMessage ? 1 : 0) };
    });
    this.#gaps.clear();
    return missed;
  }

  /** Returns the chunk without the end of a message whose beginning is missing, and with it the names of secrets. */
  withoutEnd(stream: Passed, chunk: Buffer): Buffer {
    if (!this.#inMessage.has(stream)) return chunk;
    const end = chunk.indexOf(LINE_FEED);
    if (end >= 0) this.#inMessage.delete(stream);
    return chunk.subarray(end < 0 ? chunk.length : end + 1);
  }
}
