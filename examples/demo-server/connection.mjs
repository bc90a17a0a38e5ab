// @ts-check
import { Call } from './call.mjs';
import {
  allowsBatches,
  checkEnvelope,
  idOfUnreadable,
  META,
  MODERN_VERSION,
  NEWEST_LEGACY_VERSION,
  resultInVersion,
  unsupportedVersion,
} from './eras.mjs';
import { Cancelled, invalidParams, invalidRequest, methodNotFound, RpcError } from './errors.mjs';
import { METHODS } from './methods.mjs';
import { rawAt } from './raw-json.mjs';
import { SERVER_NAME } from './server-info.mjs';
import { Subscriptions } from './subscriptions.mjs';

/** @typedef {import('./eras.mjs').JsonObject} JsonObject */

/** One client: reads its messages, answers its requests. Which era it lives in is settled by what the client says first. */
export class Connection {
  /** @type {import('./eras.mjs').Era | undefined} Undefined until a request settles it. */
  era;
  /** @type {string | undefined} What `initialize` agreed on. */
  agreedVersion;
  logLevel = 'info';
  /** @type {Map<string | number, AbortController>} Requests without a response yet. */
  #running = new Map();
  #write;

  /**
   * @param {import('./station.mjs').Station} station
   * @param {(message: object) => void} write
   */
  constructor(station, write) {
    this.station = station;
    this.#write = write;
    this.subscriptions = new Subscriptions((method, params) => this.#notify(method, params));
    station.onChange((change) => this.subscriptions.announce(change, this.era));
  }

  /** @param {string} line One line of stdin. */
  async receive(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      this.#write(this.#unreadable(new RpcError(-32700, 'Parse error: this line is not JSON')));
      return;
    }
    const reply = Array.isArray(message) ? await this.#batch(message, line) : await this.#one(message, line, []);
    if (reply !== undefined) this.#write(reply);
  }

  /** @param {unknown[]} messages @param {string} line */
  async #batch(messages, line) {
    if (!allowsBatches(this.#versionIn(this.era)) || messages.length === 0) {
      return this.#unreadable(invalidRequest('Only protocol version 2025-03-26 has batches'));
    }
    const replies = await Promise.all(messages.map((message, index) => this.#one(message, line, [index])));
    const answers = replies.filter((reply) => reply !== undefined);
    return answers.length === 0 ? undefined : answers;
  }

  /**
   * @param {unknown} message
   * @param {string} line
   * @param {number[]} path Where in the line the message stands.
   * @returns {Promise<object | undefined>} The response, if there has to be one.
   */
  async #one(message, line, path) {
    if (!isObject(message)) return this.#unreadable(invalidRequest('A message is an object'));
    const { id, method, params } = message;
    if (typeof method !== 'string') {
      // A response. We send no requests, so there is nothing it could answer.
      return 'result' in message || 'error' in message ? undefined : this.#unreadable(invalidRequest('No method'));
    }
    if (id === undefined) return this.#notification(method, params);
    if (typeof id !== 'string' && !Number.isInteger(id)) {
      return this.#unreadable(invalidRequest('An id is a string or an integer'));
    }
    return this.#request(
      /** @type {string | number} */ (id),
      method,
      params,
      rawAt(line, [...path, 'params', 'arguments']),
    );
  }

  /** @param {string} method @param {unknown} params @returns {undefined} */
  #notification(method, params) {
    if (method === 'notifications/cancelled' && isObject(params)) {
      this.#running.get(/** @type {string | number} */ (params.requestId))?.abort();
    }
  }

  /**
   * @param {string | number} id
   * @param {string} method
   * @param {unknown} params
   * @param {string | undefined} rawArguments
   */
  async #request(id, method, params, rawArguments) {
    const abort = new AbortController();
    try {
      if (this.#running.has(id)) throw invalidRequest('This id belongs to a request that is still running');
      this.#running.set(id, abort);
      const { entry, era, given, meta } = this.#admit(method, params);
      const call = new Call({
        id,
        version: this.#versionIn(era),
        meta,
        signal: abort.signal,
        rawArguments,
        sessionLogLevel: this.logLevel,
        notify: (name, body) => this.#notify(name, body),
      });
      const result = await entry.run(given, call, this);
      if (abort.signal.aborted) return undefined;
      const how = { version: this.#versionIn(era), cached: entry.cached === true, serverInfo: SERVER_NAME };
      return { jsonrpc: '2.0', id, result: resultInVersion(result, how) };
    } catch (error) {
      if (error instanceof Cancelled) return undefined;
      return { jsonrpc: '2.0', id, error: error instanceof RpcError ? error : new RpcError(-32603, String(error)) };
    } finally {
      if (this.#running.get(id) === abort) this.#running.delete(id);
    }
  }

  /**
   * Settles the era and checks what it demands of a request.
   *
   * @param {string} method
   * @param {unknown} params
   */
  #admit(method, params) {
    if (params !== undefined && !isObject(params)) throw invalidParams('params must be an object');
    const given = params ?? {};
    const meta = isObject(given._meta) ? given._meta : {};
    const era = this.era ?? this.#firstWords(method, meta);
    if (era === 'modern' && method === 'initialize') throw unsupportedVersion(given.protocolVersion);
    const entry = METHODS.get(method);
    if (!entry?.eras.includes(era)) throw methodNotFound(method);
    if (era === 'modern') checkEnvelope(meta);
    // A probe binds nobody: the client may still turn to `initialize`.
    if (method !== 'server/discover' && method !== 'ping') this.era = era;
    return { entry, era, given, meta };
  }

  /**
   * The era of a client that hasn't settled it: `initialize` and `ping` are legacy, all else has to say its version.
   *
   * @param {string} method
   * @param {JsonObject} meta
   */
  #firstWords(method, meta) {
    if (META.version in meta) return 'modern';
    return method === 'initialize' || method === 'ping' ? 'legacy' : 'modern';
  }

  /** The newest version of the era, unless `initialize` agreed on another. @param {import('./eras.mjs').Era | undefined} era */
  #versionIn(era) {
    return era === 'legacy' ? (this.agreedVersion ?? NEWEST_LEGACY_VERSION) : MODERN_VERSION;
  }

  /** @param {string} method @param {object} params */
  #notify(method, params) {
    this.#write({ jsonrpc: '2.0', method, params });
  }

  /** @param {RpcError} error */
  #unreadable(error) {
    return { jsonrpc: '2.0', ...idOfUnreadable(this.#versionIn(this.era)), error };
  }
}

/** @param {unknown} value @returns {value is JsonObject} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
