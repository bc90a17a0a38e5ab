import { LIMITS } from '@/lib/wire/limits';
import type { StreamEvent } from './sse-events';

/** How far an event stream was read, and when to come back for the rest (2025-11-25, resumability). */
export class StreamPlace {
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #quiet = 0;

  /** For `Last-Event-ID`; undefined: the stream can't be resumed. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** Takes note of what the stream said. */
  note({ id, retry }: StreamEvent): void {
    this.#quiet = 0;
    if (id !== undefined) this.#lastEventId = id === '' ? undefined : id;
    if (retry !== undefined)
      this.#retryMs = Math.max(LIMITS.streamRetryMinMs, Math.min(retry, LIMITS.streamRetryMaxMs));
  }

  /** Milliseconds to wait before the next attempt: what the server asked for, or longer and longer while nothing comes. */
  nextDelay(): number {
    const own = Math.min(LIMITS.streamRetryFirstMs * 2 ** this.#quiet, LIMITS.streamRetryLastMs);
    this.#quiet++;
    return this.#retryMs ?? own;
  }
}
