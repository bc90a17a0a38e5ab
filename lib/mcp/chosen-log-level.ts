import { ConnectionError } from '@/lib/transports/transport';
import type { Era, LifecycleEvent } from '@/lib/wire/lifecycle';
import { type LogLevel, METHOD } from '@/lib/wire/protocol-names';
import { NO_LEVEL_OFF } from './connection-failures';
import type { Engine } from './engine';

/** The log level that the user chose, and how the server learns it. */
export class ChosenLogLevel {
  readonly #engine: Engine;
  readonly #logEvent: (event: LifecycleEvent) => void;
  #level: LogLevel | undefined;
  #answered: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine, level: LogLevel | undefined, logEvent: (event: LifecycleEvent) => void) {
    this.#engine = engine;
    this.#level = level;
    this.#logEvent = logEvent;
  }

  /** undefined for none. */
  get level(): LogLevel | undefined {
    return this.#level;
  }

  /** Resolves when a legacy server has answered the newest `logging/setLevel`. Never rejects. */
  get answered(): Promise<unknown> {
    return this.#answered;
  }

  /**
   * Asks for log messages of this level and above: a legacy server at once, a modern one with each request. undefined:
   * the next modern requests ask for none. Throws ConnectionError.
   */
  choose(level: LogLevel | undefined, era: Era | undefined): void {
    if (era === 'legacy' && level === undefined) throw new ConnectionError(NO_LEVEL_OFF);
    this.#level = level;
    this.#engine.setLogLevel(level);
    if (era === 'legacy') this.askAgain(era);
    else this.#logEvent({ event: 'log-level', ...(level && { level }) });
  }

  /** Tells a legacy server the level, if there is one. Modern requests have it. */
  askAgain(era: Era): void {
    if (this.#level === undefined || era !== 'legacy') return;
    const params = JSON.stringify({ level: this.#level });
    this.#answered = this.#engine.sendRequest(METHOD.setLevel, params).outcome;
  }
}
