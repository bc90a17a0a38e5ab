import { PassingMap } from '../columns/passing-map';

/** The requests with one id, which may still be answered. Those that were given up are answered last. */
interface Waiting {
  readonly oldestPending: number | undefined;
  /** The request that {@link OpenRequests.answer} would return. */
  readonly nextToAnswer: number | undefined;
}

/**
 * Pairs the responses to one side's requests by id. A request is a number, for example its seq. `1` and `"1"` are
 * different ids. Of several requests with one id, the oldest pending one is answered first. Each step is O(1), even if
 * a peer reuses an id many times.
 */
export class OpenRequests<Id = unknown> {
  /** The request, or a queue if there are more or one was given up, which is rare. */
  readonly #byId = new PassingMap<Id, number | RequestQueue>();

  addRequest(id: Id, request: number): void {
    if (this.#byId.has(id)) this.#queueOf(id)!.addRequest(request);
    else this.#byId.set(id, request);
  }

  /** Removes and returns the request that a response with this id answers; undefined if there is none. */
  answer(id: Id): number | undefined {
    const waiting = this.#byId.get(id);
    const request = typeof waiting === 'object' ? waiting.answerOldest() : waiting;
    if (typeof waiting === 'number' || waiting?.nextToAnswer === undefined) this.#byId.delete(id);
    return request;
  }

  /** Gives up the oldest pending request with this id and returns it. A response may still come. */
  giveUp(id: Id): number | undefined {
    return this.#queueOf(id)?.giveUpOldest();
  }

  /** Gives up all pending requests and returns them. */
  giveUpAll(): readonly number[] {
    const all: number[] = [];
    for (const id of this.#byId.keys()) {
      for (let request = this.giveUp(id); request !== undefined; request = this.giveUp(id)) all.push(request);
    }
    return all;
  }

  /** Returns the requests with this id. */
  get(id: Id): Waiting | undefined {
    const waiting = this.#byId.get(id);
    return typeof waiting === 'number' ? { oldestPending: waiting, nextToAnswer: waiting } : waiting;
  }

  /** Lists the requests of each id, in the order in which the ids came. */
  *all(): Generator<Waiting> {
    for (const id of this.#byId.keys()) yield this.get(id)!;
  }

  #queueOf(id: Id): RequestQueue | undefined {
    const waiting = this.#byId.get(id);
    if (typeof waiting !== 'number') return waiting;
    const queue = new RequestQueue();
    queue.addRequest(waiting);
    this.#byId.set(id, queue);
    return queue;
  }
}

/** A queue of requests with O(1) removal. */
class Queue {
  readonly #requests: number[] = [];
  #from = 0;

  get first(): number | undefined {
    return this.#requests[this.#from];
  }

  add(request: number): void {
    this.#requests.push(request);
  }

  removeOldest(): number | undefined {
    const oldest = this.first;
    if (oldest !== undefined) this.#from++;
    return oldest;
  }
}

class RequestQueue implements Waiting {
  readonly #pending = new Queue();
  /** Cancelled, timed out or lost. */
  readonly #ended = new Queue();

  get oldestPending(): number | undefined {
    return this.#pending.first;
  }

  get nextToAnswer(): number | undefined {
    return this.#pending.first ?? this.#ended.first;
  }

  addRequest(request: number): void {
    this.#pending.add(request);
  }

  giveUpOldest(): number | undefined {
    const request = this.#pending.removeOldest();
    if (request !== undefined) this.#ended.add(request);
    return request;
  }

  answerOldest(): number | undefined {
    return this.#pending.removeOldest() ?? this.#ended.removeOldest();
  }
}
