// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { Connection } from './connection.mjs';
import { LineReader, stringify } from './json-lines.mjs';
import { Station } from './station.mjs';

// The client of the tests. It uses no library, so that tests see exactly what is on the wire.

const SERVER = join(import.meta.dirname, 'server.mjs');

export const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
export const MODERN = '2026-07-28';
export const VERSIONS = [...LEGACY, MODERN];

/** `_meta` of every modern request. */
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
};

/**
 * @typedef {object} Server
 * @property {(text: string) => void} write
 * @property {() => void} endInput
 * @property {() => void} kill
 * @property {Promise<unknown>} exit Resolves to the exit code and signal.
 */

/** Runs the server in this process, as server.mjs does. @param {(line: string) => void} receive @returns {Server} */
function innerServer(receive) {
  const connection = new Connection(new Station(), (message) => receive(stringify(message)));
  const lines = new LineReader((line) => connection.receive(line));
  let lives = true;
  const kill = () => {
    lives = false;
  };
  return {
    write: (text) => void setImmediate(() => lives && lines.push(Buffer.from(text))),
    endInput: kill,
    kill,
    exit: new Promise(() => {}),
  };
}

/**
 * Starts the server as a process.
 *
 * @param {(line: string) => void} receive
 * @param {(chunk: string) => void} onStderr
 * @returns {Server}
 */
export function serverProcess(receive, onStderr) {
  const child = spawn(process.execPath, [SERVER], { stdio: 'pipe' });
  const lines = new LineReader(receive);
  child.stdout.on('data', (chunk) => lines.push(chunk));
  child.stderr.on('data', (chunk) => onStderr(String(chunk)));
  // Writing fails after `fall_into_sea` ended the server.
  child.stdin.on('error', () => {});
  return {
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    kill: () => void child.kill('SIGKILL'),
    exit: once(child, 'exit'),
  };
}

/** The client of one server. */
class TestClient {
  /** @type {any[]} Every message so far, in order. */
  messages = [];
  /** @type {string[]} Every line so far that is not JSON. */
  junk = [];
  stderr = '';
  #lastId = 0;
  /** @type {Set<() => void>} */
  #watchers = new Set();
  #server;

  /** @param {string} version @param {typeof serverProcess} start */
  constructor(version, start = innerServer) {
    this.version = version;
    this.#server = start(
      (line) => this.#receive(line),
      (chunk) => {
        this.stderr += chunk;
        this.#changed();
      },
    );
  }

  /** Resolves to the exit code and signal of a process. */
  get exit() {
    return this.#server.exit;
  }

  /** @param {string} line */
  #receive(line) {
    try {
      this.messages.push(JSON.parse(line));
      this.lastLine = line;
    } catch {
      this.junk.push(line);
    }
    this.#changed();
  }

  #changed() {
    for (const watcher of this.#watchers) watcher();
  }

  /** Sends text unchanged. @param {string} text */
  write(text) {
    this.#server.write(text);
  }

  kill() {
    this.#server.kill();
  }

  endInput() {
    this.#server.endInput();
  }

  /** Sends a request and returns its id. @param {string} method @param {any} [params] @param {object} [meta] */
  send(method, params, meta = {}) {
    this.#lastId += 1;
    const message = { jsonrpc: '2.0', id: this.#lastId, method, params: this.envelope(params, meta) };
    this.write(`${JSON.stringify(message)}\n`);
    return this.#lastId;
  }

  /** Returns params with the `_meta` that the version needs. @param {any} params @param {object} [meta] */
  envelope(params, meta = {}) {
    const whole = this.version === MODERN ? { ...MODERN_META, ...meta } : meta;
    return Object.keys(whole).length > 0 ? { ...params, _meta: whole } : params;
  }

  /**
   * Sends a request and resolves with its response.
   *
   * @param {string} method
   * @param {any} [params]
   * @param {object} [meta]
   */
  async request(method, params, meta) {
    const id = this.send(method, params, meta);
    return this.message((one) => one.id === id && one.method === undefined);
  }

  /**
   * Sends a request that must not fail and resolves with its result.
   *
   * @param {string} method
   * @param {any} [params]
   * @param {object} [meta]
   */
  async result(method, params, meta) {
    const response = await this.request(method, params, meta);
    if (response.error) throw new Error(`${method}: ${JSON.stringify(response.error)}`);
    return response.result;
  }

  /** @param {string} name @param {any} [args] @param {object} [meta] */
  call(name, args, meta) {
    return this.result('tools/call', { name, arguments: args }, meta);
  }

  /** @param {string} method @param {object} [params] */
  notify(method, params) {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  /**
   * Resolves with the first message that matches, already received or not.
   *
   * @param {(message: any) => boolean} fits
   * @returns {Promise<any>}
   */
  async message(fits) {
    await this.until(() => this.messages.some(fits));
    return this.messages.find(fits);
  }

  /** @param {string} method @returns {any[]} Params of all such notifications so far. */
  notified(method) {
    return this.messages.filter((message) => message.method === method).map((message) => message.params);
  }

  /**
   * Waits for a condition, up to the timeout of the test.
   *
   * @param {() => boolean} condition
   * @returns {Promise<void>}
   */
  until(condition) {
    return new Promise((resolve) => {
      const watcher = () => {
        if (!condition()) return;
        this.#watchers.delete(watcher);
        resolve();
      };
      this.#watchers.add(watcher);
      watcher();
    });
  }
}

/** Starts a server without sending anything. Ended after the test. @param {string} [version] */
export function started(version = 'none') {
  const client = new TestClient(version);
  onTestFinished(() => client.kill());
  return client;
}

/** Starts a server that is ready for requests of `version`. Ended after the test. @param {string} version */
export function connected(version) {
  return opened(started(version));
}

/**
 * Starts a server as a process, ready for requests of `version`, for what Connection does not do. Killed after the
 * test.
 *
 * @param {string} version
 */
export function spawned(version) {
  const client = new TestClient(version, serverProcess);
  onTestFinished(() => client.kill());
  return opened(client);
}

/**
 * Starts one server for all tests of a `describe`, which must not change its state.
 *
 * @param {string} version
 * @param {typeof serverProcess} [start]
 * @returns {() => TestClient}
 */
export function shared(version, start) {
  /** @type {TestClient} */
  let client;
  beforeAll(async () => {
    client = new TestClient(version, start);
    await opened(client);
  });
  afterAll(() => client.kill());
  return () => client;
}

/** @param {TestClient} client */
async function opened(client) {
  const { version } = client;
  if (version === MODERN) return client;
  const { protocolVersion } = await client.result('initialize', {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  });
  if (protocolVersion !== version) throw new Error(`asked for ${version}, got ${protocolVersion}`);
  client.notify('notifications/initialized');
  return client;
}
