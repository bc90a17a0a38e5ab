import { uint32 } from '@/lib/json/typed-arrays';

/**
 * The requests of a log that ended, in order, each with the frame that ended it. A request that was given up is listed
 * again if a response still comes, and a task that ended without its result if that still comes.
 */
export class SettledRequests {
  readonly #requests = uint32();
  readonly #frames = uint32();
  #size = 0;

  add(request: number, frame: number): void {
    this.#requests.push(request);
    this.#frames.push(frame);
    this.#size++;
  }

  /**
   * Calls back with those after the first `known` that ended up to the frame `last`. Returns how many are known now. A
   * reader of frames calls it for each frame, or after several.
   */
  read(known: number, last: number, onSettled: (request: number, frame: number) => void): number {
    let at = known;
    for (; at < this.#size && this.#frames.get(at) <= last; at++)
      onSettled(this.#requests.get(at), this.#frames.get(at));
    return at;
  }
}
