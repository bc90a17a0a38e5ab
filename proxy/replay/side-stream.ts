import type { ServerResponse } from 'node:http';
import type { Side } from '@/lib/replay/replay';
import { LIMITS } from '@/lib/wire/limits';
import type { EventStream } from './event-stream';

/** What belongs to no request of a session, for the stream that its client may open (GET). It waits for that, within limits. */
export class SideStream implements Side {
  readonly stream: EventStream;
  readonly #waiting: string[] = [];

  constructor(stream: EventStream) {
    this.stream = stream;
  }

  get isHeard(): boolean {
    return this.stream.isHeard;
  }

  tell(text: string): void {
    if (this.stream.isHeard) this.stream.tell(text);
    else {
      this.#waiting.push(text);
      if (this.#waiting.length > LIMITS.replayWaiting) this.#waiting.shift();
    }
  }

  /** False: there is a stream already, and the client doesn't go on with it `after` an event. */
  open(response: ServerResponse, after?: string): boolean {
    if (this.stream.isHeard && after === undefined) return false;
    this.stream.open(response, after);
    for (const text of this.#waiting.splice(0)) this.stream.tell(text);
    return true;
  }
}
