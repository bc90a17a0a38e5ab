import type { InputStep, LifecycleEvent } from '@/lib/wire/lifecycle';
import { idKey, type RequestId } from '@/lib/wire/message';
import type { ClientHandlers } from './client-handler';
import type { Engine, RequestHandle } from './engine';
import { type Asked, type FollowUpPort, followUp, type Round } from './follow-ups';
import { readPages } from './list-pages';
import type { RequestOptions } from './request-plan';

/** What the requests need of their connection. */
export interface FollowedPort {
  readonly engine: Engine;
  readonly handlers: ClientHandlers;
  isOpen(): boolean;
  renewed?: FollowUpPort['renewed'];
  event(event: LifecycleEvent): void;
}

/** How a request is sent that may be sent again. */
export interface FollowedOptions extends RequestOptions {
  /** Is told the id of each further one. */
  readonly onAgain?: (id: RequestId) => void;
}

/** The requests that are sent again where their answers say so (see {@link followUp}). */
export class FollowedRequests {
  readonly #port: FollowedPort;
  /** Input is gathered for these; by the id's key. */
  readonly #rounds = new Map<string, AbortController>();

  constructor(port: FollowedPort) {
    this.#port = port;
  }

  /** The handle is the first one's, the outcome the last one's. Throws like the engine's `request`. */
  request(method: string, params: string | undefined, options: FollowedOptions): RequestHandle {
    const { engine, handlers, isOpen, event, renewed } = this.#port;
    const { id, seq, outcome } = engine.request(method, params, options);
    const followed = outcome.then((first) =>
      followUp(
        first,
        { id, method, params },
        {
          ask: (next) => {
            const again = engine.request(method, next, options);
            options.onAgain?.(again.id);
            return again;
          },
          readTools: () => readPages(engine, 'tools/list', isOpen),
          handlers,
          ...(renewed && { renewed }),
          asking: (asked) => this.#round(asked),
          retrying: (asked, reason) => event({ event: 'retry', id: asked.id, method, reason }),
        },
      ),
    );
    return { id, seq, outcome: followed };
  }

  /** The input that this request's answer asked for will not be given. False: it asked for none, or has it. */
  giveUp(id: RequestId, why: string): boolean {
    const round = this.#rounds.get(idKey(id));
    round?.abort(new Error(why));
    return round !== undefined;
  }

  /** Nobody waits for any input any more. */
  end(): void {
    for (const round of this.#rounds.values()) round.abort(new Error('the connection ended'));
  }

  #round({ id, method }: Asked): Round {
    const stop = new AbortController();
    const key = idKey(id);
    this.#rounds.set(key, stop);
    const tell = (step: InputStep): void => this.#port.event({ event: 'input', id, method, ...step });
    tell({ phase: 'asked' });
    return {
      signal: stop.signal,
      given: (key) => tell({ phase: 'given', key }),
      over: (why) => {
        this.#rounds.delete(key);
        if (why === undefined) return;
        tell({ phase: 'given-up', reason: why });
        // Of several questions, those that are still asked are asked for nothing.
        stop.abort();
      },
    };
  }
}
