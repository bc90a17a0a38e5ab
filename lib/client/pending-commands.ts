import { ConnectionError } from '@/lib/transports/transport';
import type { Event } from '@/lib/wire/command';
import type { Failure } from '@/lib/wire/lifecycle';

export type DoneEvent = Extract<Event, { type: 'done' }>;

interface Waiting {
  resolve(done: DoneEvent): void;
  reject(failure: ConnectionError): void;
}

/** Commands that wait for their answer, by `ref`. */
export class PendingCommands {
  readonly #waiting = new Map<string, Waiting>();

  add(ref: string): Promise<DoneEvent> {
    return new Promise((resolve, reject) => this.#waiting.set(ref, { resolve, reject }));
  }

  /** Settles the command that an event answers. Returns false if it answers none. */
  settle(event: Event): boolean {
    const ref = 'ref' in event ? event.ref : undefined;
    const waiting = ref === undefined ? undefined : this.#waiting.get(ref);
    if (!waiting || ref === undefined) return false;
    this.#waiting.delete(ref);
    if (event.type === 'done') waiting.resolve(event);
    else if (event.type === 'error') waiting.reject(new ConnectionError(event));
    return true;
  }

  rejectAll(failure: Failure): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new ConnectionError(failure));
  }
}
