// @ts-check
import { Call } from './call.mjs';
import { rawAt } from './json-lines.mjs';
import { METHODS, SERVER_NAME } from './methods.mjs';
import {
  allowsBatches,
  Cancelled,
  checkEnvelope,
  idOfUnreadable,
  invalidParams,
  invalidRequest,
  META,
  MODERN_VERSION,
  methodNotFound,
  NEWEST_LEGACY_VERSION,
  RpcError,
  resultInVersion,
  unsupportedVersion,
} from './protocol.mjs';
import { Subscriptions } from './subscriptions.mjs';

/** @typedef {import('./protocol.mjs').JsonObject} JsonObject */

/** The connection to one client: reads its messages and answers its requests. The first request decides the era. */
export class Connection {
  /** @type {import('./protocol.mjs').Era | undefined} Undefined until a request decides it. */
  era;
  /** @type {string | undefined} Version that `initialize` agreed on. */
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
      return this.#unreadable(invalidRequest('Batches exist only in protocol version 2025-03-26'));
    }
    const replies = await Promise.all(messages.map((message, index) => this.#one(message, line, [index])));
    const answers = replies.filter((reply) => reply !== undefined);
    return answers.length === 0 ? undefined : answers;
  }

  /**
   * @param {unknown} message
   * @param {string} line
   * @param {number[]} path Path of the message within the line.
   * @returns {Promise<object | undefined>} The response; undefined if none is due.
   */
  async #one(message, line, path) {
    if (!isObject(message)) return this.#unreadable(invalidRequest('A message must be an object'));
    const { id, method, params } = message;
    if (typeof method !== 'string') {
      // A response is ignored, because this server sends no requests.
      return 'result' in message || 'error' in message ? undefined : this.#unreadable(invalidRequest('No method'));
    }
    if (id === undefined) return this.#notification(method, params);
    if (typeof id !== 'string' && !Number.isInteger(id)) {
      return this.#unreadable(invalidRequest('An id must be a string or an integer'));
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
      if (this.#running.has(id)) throw invalidRequest('This id is used by a request that is still running');
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
   * Decides the era, and checks that the request is valid in it.
   *
   * @param {string} method
   * @param {unknown} params
   */
  #admit(method, params) {
    if (params !== undefined && !isObject(params)) throw invalidParams('params must be an object');
    const given = params ?? {};
    const meta = isObject(given._meta) ? given._meta : {};
    const era = this.era ?? this.#eraOfFirst(method, meta);
    if (era === 'modern' && method === 'initialize') throw unsupportedVersion(given.protocolVersion);
    const entry = METHODS.get(method);
    if (!entry?.eras.includes(era)) throw methodNotFound(method);
    if (era === 'modern') checkEnvelope(meta);
    // A probe decides nothing: the client may still send `initialize`.
    if (method !== 'server/discover' && method !== 'ping') this.era = era;
    return { entry, era, given, meta };
  }

  /**
   * Returns the era of the first request: `initialize` and `ping` are legacy, others must name their version.
   *
   * @param {string} method
   * @param {JsonObject} meta
   */
  #eraOfFirst(method, meta) {
    if (META.version in meta) return 'modern';
    return method === 'initialize' || method === 'ping' ? 'legacy' : 'modern';
  }

  /**
   * Returns the newest version of the era, unless `initialize` agreed on another.
   *
   * @param {import('./protocol.mjs').Era | undefined} era
   */
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
