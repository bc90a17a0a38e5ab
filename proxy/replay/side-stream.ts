import type { ServerResponse } from 'node:http';
import type { Side } from '@/lib/replay/replay';
import { LIMITS } from '@/lib/wire/limits';
import { openStream, writeEvent } from './post-outlet';

/** What belongs to no request of a session, for the stream that its client may open (GET). It waits for that, within limits. */
export class SideStream implements Side {
  #response: ServerResponse | undefined;
  #waiting: string[] = [];

  get isHeard(): boolean {
    return this.#response !== undefined;
  }

  tell(text: string): void {
    if (this.#response) writeEvent(this.#response, text);
    else {
      this.#waiting.push(text);
      if (this.#waiting.length > LIMITS.replayWaiting) this.#waiting.shift();
    }
  }

  /** False: there is a stream already. */
  open(response: ServerResponse): boolean {
    if (this.#response) return false;
    this.#response = response;
    openStream(response);
    for (const text of this.#waiting.splice(0)) writeEvent(response, text);
    response.on('close', () => {
      if (this.#response === response) this.#response = undefined;
    });
    return true;
  }

  end(): void {
    this.#response?.end();
  }
}
