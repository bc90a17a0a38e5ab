import { ConnectionError } from '@/lib/transports/transport';
import type { Clock } from '@/lib/wire/clock';
import type { RequestId } from '@/lib/wire/message';
import { METHOD } from '@/lib/wire/protocol-names';
import type { Engine } from '../engine';

/** Milliseconds after the start of a task until its stream is asked for. Several tasks then share one. */
const GATHER_MS = 250;

/**
 * The stream on which a modern server reports changes of tasks. It only makes a change known earlier: tasks are polled
 * anyway, so a server that refuses the stream is not asked again.
 */
export class TaskStream {
  readonly #engine: Pick<Engine, 'sendRequest' | 'cancel'>;
  readonly #clock: Clock;
  readonly #ids = new Set<string>();
  /** Id of the open request. */
  #open: RequestId | undefined;
  #cancelTimer: (() => void) | undefined;
  #refused = false;

  constructor(engine: Pick<Engine, 'sendRequest' | 'cancel'>, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  add(taskId: string): void {
    if (this.#refused) return;
    this.#ids.add(taskId);
    this.#cancelTimer ??= this.#clock.after(GATHER_MS, () => {
      this.#cancelTimer = undefined;
      this.#listen();
    });
  }

  /** A stream with ended tasks does no harm, so it stays until the last one has ended. */
  remove(taskId: string): void {
    this.#ids.delete(taskId);
    if (this.#ids.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#leave('The tasks have ended');
  }

  stop(): void {
    this.#refused = true;
    this.#cancelTimer?.();
  }

  #leave(reason: string): void {
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) this.#engine.cancel(open, reason);
  }

  #listen(): void {
    this.#leave('Subscribed again');
    try {
      const params = JSON.stringify({ notifications: { taskIds: [...this.#ids] } });
      const { id, outcome } = this.#engine.sendRequest(METHOD.listen, params);
      this.#open = id;
      void outcome.then(({ kind }) => {
        if (this.#open === id) this.#open = undefined;
        if (kind === 'error') this.#refused = true;
      });
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
  }
}
