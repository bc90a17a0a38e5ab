// @ts-check
import { setTimeout } from 'node:timers/promises';
import { Cancelled, inVersion, META, MODERN_VERSION } from './protocol.mjs';

/** Levels of `notifications/message`, least severe first. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** One request: its context, and the notifications that a method can send before it responds. */
export class Call {
  #notify;
  #threshold;

  /**
   * @param {object} options
   * @param {string | number} options.id
   * @param {string} options.version
   * @param {import('./protocol.mjs').JsonObject} options.meta
   * @param {AbortSignal} options.signal
   * @param {string | undefined} options.rawArguments Text of `params.arguments`, as the client wrote it.
   * @param {string} options.sessionLogLevel Level of the latest `logging/setLevel`.
   * @param {(method: string, params: object) => void} options.notify
   */
  constructor({ id, version, meta, signal, rawArguments, sessionLogLevel, notify }) {
    this.id = id;
    this.version = version;
    this.signal = signal;
    this.rawArguments = rawArguments;
    this.progressToken = /** @type {string | number | undefined} */ (meta.progressToken);
    this.#notify = notify;
    // In the modern era a request that names no level gets no messages.
    this.#threshold = version === MODERN_VERSION ? meta[META.logLevel] : sessionLogLevel;
  }

  /**
   * Sends `notifications/message` if the client wants messages of this level.
   *
   * @param {string} level One of {@link LOG_LEVELS}.
   * @param {unknown} data
   * @param {string} [logger]
   */
  log(level, data, logger = 'station') {
    const threshold = LOG_LEVELS.indexOf(String(this.#threshold));
    if (threshold === -1 || LOG_LEVELS.indexOf(level) < threshold) return;
    this.#notify('notifications/message', { level, logger, data });
  }

  /**
   * Sends `notifications/progress` if the client asked for it.
   *
   * @param {number} progress Must grow from call to call.
   * @param {number} total
   * @param {string} message
   */
  progress(progress, total, message) {
    if (this.progressToken === undefined) return;
    const params = { progressToken: this.progressToken, progress, total, message };
    this.#notify('notifications/progress', inVersion('progress', params, this.version));
  }

  /**
   * Resolves after `ms`. Rejects with {@link Cancelled} as soon as the client cancels.
   *
   * @param {number} ms
   */
  async wait(ms) {
    try {
      await setTimeout(ms, undefined, { signal: this.signal });
    } catch {
      throw new Cancelled();
    }
  }

  /**
   * Never resolves. Rejects with {@link Cancelled} when the client cancels.
   *
   * @returns {Promise<never>}
   */
  cancelled() {
    return new Promise((_resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(new Cancelled()), { once: true });
    });
  }
}
