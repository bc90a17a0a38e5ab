import { Interceptions } from '@/lib/store/exchanges/interceptions';
import type { Frame } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';

/** Treatments after which a message arrives late, maybe after others that followed it. */
const LATE: ReadonlySet<string> = new Set(['release', 'delay']);

/**
 * Tells which frames the rules of problems see, so that they blame nobody for what interception did: the messages of
 * the server as it sent them, and those of the client as the server got them.
 */
export class InterceptedFrames {
  readonly #interceptions = new Interceptions();

  addEvent(seq: number, event: LifecycleEvent): void {
    this.#interceptions.addEvent(seq, event, 0);
  }

  /** Returns true for a frame of channel `protocol` that rules should see. */
  isSentBy({ seq, direction }: Frame): boolean {
    const part = this.#interceptions.addMessage(seq, direction);
    if (part === undefined) return true;
    if (part === 'made') return false;
    const { event, delivered } = this.#interceptions.of(seq)!;
    if (event.withheld) return false;
    if (direction === 'to-server') return true;
    // The original is on channel `intercept`, and a copy is not from the server.
    if (event.original || delivered.length > 1) return false;
    return event.kind !== 'notification' || !LATE.has(event.did);
  }

  /** Returns true for a frame of channel `intercept` that rules should see: a message as the server sent it. */
  isOriginalOfServer({ seq, direction }: Frame): boolean {
    this.#interceptions.addOriginal(seq);
    // After a cut, the server sends the message again on the resumed stream.
    return direction === 'to-client' && this.#interceptions.of(seq)?.event.did !== 'cut';
  }
}
