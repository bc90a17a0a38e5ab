import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isSignal, type OtlpEncoding, readExport, type Signal } from '@/lib/otel/otlp/read-export';
import { OtlpError } from '@/lib/otel/otlp/read-protobuf';
import { MEDIA_TYPES, writeAccepted, writeStatus } from '@/lib/otel/otlp/write-reply';
import { type Clock, systemClock } from '@/lib/wire/clock';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { sha256Of } from '@/proxy/files/native-codecs';
import { GUARD_RULES, type GuardRule, guard, headerValues } from '@/proxy/http/guard';
import { listenAt, REQUEST_BOUNDS } from '@/proxy/http/listen';
import { TelemetryBudget } from './telemetry-budget';
import { TelemetryLosses } from './telemetry-losses';

/** Bytes of a body as sent, and unpacked. A batch of an SDK has 512 spans of a few hundred bytes. */
export const EXPORT_BYTES = 4 * 1024 * 1024;
/** Exports that are read at a time. Each may hold a body in memory. */
const EXPORTS_AT_ONCE = 16;
/** Sockets at a time. */
const SOCKETS = 64;
/** Milliseconds of work on exports before everything else gets as much time. */
const SLICE_MS = 4;
/** Milliseconds between checks for stalled requests. */
const STALLED_CHECK_MS = 500;
/** Seconds after which a sender may try again. */
const RETRY_AFTER = { 'Retry-After': '1' };
/** Resources of a connection that are remembered as logged. */
const RESOURCES = 1000;
/** Milliseconds that exports of a server may take after its end. */
const LAST_EXPORTS_MS = 1000;

/** Codes of `google.rpc.Status`. */
const CODE = { invalid: 3, exhausted: 8, unavailable: 14 } as const;

/** Receives the telemetry of one connection. */
export interface TelemetrySink {
  /** Appends a frame of channel `otel`. Returns a promise if the next ones should wait for it. */
  append(bytes: Uint8Array): Promise<void> | undefined;
  logEvent(event: LifecycleEvent): void;
}

/** A connection's place at the receiver. */
interface Endpoint {
  readonly sink: TelemetrySink;
  readonly budget: TelemetryBudget;
  readonly losses: TelemetryLosses;
  readonly resources: Set<string>;
  /** Exports that are being read. */
  readonly active: Set<Promise<void>>;
  /** The connection has ended, so nothing more is logged. */
  isOver: boolean;
}

/** A refusal: HTTP status, code of `google.rpc.Status` and a sentence. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

const unpack = promisify(gunzip) as (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
const PATH = /^\/otel\/([\w-]{16,128})\/v1\/(traces|logs|metrics)$/;

/**
 * Rules for requests to this port, on top of those of the page's guard. No browser has anything to send here, and a
 * request without an Origin that is not a POST does nothing.
 */
const NO_ORIGIN: GuardRule = {
  name: 'no-origin',
  refuse: ({ facts }) =>
    headerValues(facts, 'origin').length === 0 ? undefined : { status: 403, reason: 'origin-foreign' },
};
const RULES: readonly GuardRule[] = [
  ...GUARD_RULES.filter(({ name }) => ['target', 'host-count', 'host'].includes(name)),
  NO_ORIGIN,
  ...GUARD_RULES.filter(({ name }) => name === 'method'),
];
const PAGES = { method: 'POST', path: '*', upgrade: false, access: 'token' } as const;

/**
 * Receives OTLP over HTTP on a port of 127.0.0.1: traces, logs and metrics, as JSON or protobuf, plain or with gzip.
 * The path holds the token of a connection. Everything is bounded, and reading gives way to all other work, so that a
 * flood costs a server its telemetry and nothing else.
 */
export class OtlpReceiver {
  readonly #server: Server;
  readonly #clock: Clock;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly origin: string;
  #active = 0;
  /** Exports are read one after the other. */
  #newest: Promise<unknown> = Promise.resolve();
  /** When the work since the last pause began. */
  #workedSince = 0;

  private constructor(server: Server, port: number, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
    this.origin = `http://127.0.0.1:${port}`;
    const policy = {
      authorities: new Set([`127.0.0.1:${port}`, `localhost:${port}`]),
      routes: [],
      pages: PAGES,
      acceptsToken: () => false,
      rules: RULES,
    };
    const onRequest = (request: IncomingMessage, response: ServerResponse, awaited: boolean): void => {
      const { method = '', url = '', rawHeaders } = request;
      const decision = guard({ method, target: url, rawHeaders, upgrade: false }, policy);
      if (decision.allow) void this.#answer(request, response, decision.path, awaited);
      else respond(response, decision.status, 'text/plain', Buffer.from(`${decision.status}\n`), CLOSE);
    };
    server.on('request', (request, response) => onRequest(request, response, false));
    server.on('checkContinue', (request, response) => onRequest(request, response, true));
    // Telemetry never keeps mcp-inspect running.
    server.on('connection', (socket) => socket.unref());
    server.unref();
  }

  /**
   * Starts to listen, on any free port if `port` is 0. Rejects with a StartError. `mostMs`: time until a request has
   * arrived, for tests.
   */
  static async start(port = 0, clock: Clock = systemClock, mostMs = Number.POSITIVE_INFINITY): Promise<OtlpReceiver> {
    const server = createServer({
      ...REQUEST_BOUNDS,
      headersTimeout: Math.min(REQUEST_BOUNDS.headersTimeout, mostMs),
      requestTimeout: Math.min(REQUEST_BOUNDS.requestTimeout, mostMs),
      connectionsCheckingInterval: STALLED_CHECK_MS,
      // The guard itself refuses requests without a Host header.
      requireHostHeader: false,
    });
    server.maxConnections = SOCKETS;
    return new OtlpReceiver(server, await listenAt(server, '127.0.0.1', port, true), clock);
  }

  /** Receives exports to the path with this token from now on. A later sink with the same token replaces this one. */
  open(token: string, sink: TelemetrySink): void {
    this.#endpoints.set(keyOf(token), {
      sink,
      budget: new TelemetryBudget(() => this.#clock.now()),
      losses: new TelemetryLosses(this.#clock, (event) => sink.logEvent(event)),
      resources: new Set(),
      active: new Set(),
      isOver: false,
    });
  }

  /** Refuses further exports with this token to this sink, and resolves when those that arrived are logged. */
  async close(token: string, sink: TelemetrySink): Promise<void> {
    const key = keyOf(token);
    const endpoint = this.#endpoints.get(key);
    if (endpoint?.sink !== sink) return;
    let callOff = (): void => {};
    const late = new Promise<void>((resolve) => {
      callOff = this.#clock.after(LAST_EXPORTS_MS, resolve);
    });
    await Promise.race([Promise.all(endpoint.active), late]);
    callOff();
    endpoint.isOver = true;
    if (this.#endpoints.get(key) === endpoint) this.#endpoints.delete(key);
    endpoint.losses.log();
  }

  /** Stops listening. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse, path: string, awaited: boolean): Promise<void> {
    const [, token = '', signal = ''] = PATH.exec(path) ?? [];
    const encoding = encodingOf(request);
    const endpoint = this.#endpoints.get(keyOf(token));
    try {
      if (!isSignal(signal)) throw new Refused(404, CODE.invalid, 'The path is not that of OTLP with a token.');
      if (!endpoint) throw new Refused(401, CODE.invalid, 'The token is not that of a connection.');
      if (!encoding)
        throw new Refused(415, CODE.invalid, 'The body must be application/json or application/x-protobuf.');
      const reading = this.#receive(request, response, { endpoint, signal, encoding, awaited });
      endpoint.active.add(reading);
      await reading.finally(() => endpoint.active.delete(reading));
    } catch (error) {
      if (response.destroyed) return;
      const refused = error instanceof Refused ? error : new Refused(500, CODE.unavailable, 'Reading the body failed.');
      const kind = encoding ?? 'json';
      const body = writeStatus(kind, refused.code, refused.message);
      respond(response, refused.status, MEDIA_TYPES[kind], body, { ...refused.headers, ...CLOSE });
    }
  }

  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
    { endpoint, signal, encoding, awaited }: Wanted,
  ): Promise<void> {
    const { budget, losses } = endpoint;
    if (budget.isSpent) {
      losses.add('too-much', { requests: 1 });
      throw new Refused(403, CODE.exhausted, 'mcp-inspect keeps no more telemetry of this connection.');
    }
    if (!budget.hasSome || this.#active >= EXPORTS_AT_ONCE) {
      losses.add('too-fast', { requests: 1 });
      throw new Refused(429, CODE.exhausted, 'Telemetry comes too fast.', RETRY_AFTER);
    }
    this.#active++;
    try {
      const body = await bodyOf(request, response, awaited);
      const reading = this.#newest.then(() => this.#read(endpoint, signal, encoding, body));
      this.#newest = reading.catch(() => {}).then(() => this.#rest());
      const { rejected, why } = await reading;
      respond(response, 200, MEDIA_TYPES[encoding], writeAccepted(signal, encoding, rejected, why));
    } catch (error) {
      const refused = error instanceof OtlpError ? new Refused(400, CODE.invalid, error.message) : error;
      if (refused instanceof Refused && !endpoint.isOver) {
        losses.add(refused.status === 413 ? 'too-large' : 'invalid', { requests: 1 }, refused.message);
      }
      throw refused;
    } finally {
      this.#active--;
    }
  }

  /** Logs the units of an export, with pauses. Rejects with an OtlpError. */
  async #read(
    endpoint: Endpoint,
    signal: Signal,
    encoding: OtlpEncoding,
    body: Buffer,
  ): Promise<{ readonly rejected: number; readonly why: string }> {
    const { sink, budget, losses, resources } = endpoint;
    let [rejected, dropped, framed, why] = [0, 0, 0, ''];
    this.#workedSince = performance.now();
    try {
      for (const unit of readExport(signal, encoding, body)) {
        if (endpoint.isOver) throw new Refused(401, CODE.invalid, 'The connection has ended.');
        if ('refused' in unit) {
          rejected++;
          why = unit.refused;
        } else if (unit.resource === undefined || !resources.has(unit.resource)) {
          const bytes = Buffer.from(unit.frame);
          if (!budget.take(bytes.length)) dropped++;
          else {
            framed += bytes.length;
            if (resources.size >= RESOURCES) resources.clear();
            if (unit.resource !== undefined) resources.add(unit.resource);
            const room = sink.append(bytes);
            if (room) {
              await room;
              this.#workedSince = performance.now();
            }
          }
        }
        const rest = this.#rest();
        if (rest) await rest;
      }
    } finally {
      budget.waste(body.length - framed);
    }
    if (rejected > 0) losses.add('invalid', { items: rejected }, why);
    if (dropped > 0) losses.add(budget.isSpent ? 'too-much' : 'too-fast', { items: dropped });
    return { rejected: rejected + dropped, why: why || 'Telemetry comes too fast.' };
  }

  /** Lets everything else have as much time as the work took, if that was more than a moment. */
  #rest(): Promise<void> | undefined {
    const took = performance.now() - this.#workedSince;
    if (took < SLICE_MS) return undefined;
    return pause(took, undefined, { ref: false }).then(() => {
      this.#workedSince = performance.now();
    });
  }
}

interface Wanted {
  readonly endpoint: Endpoint;
  readonly signal: Signal;
  readonly encoding: OtlpEncoding;
  /** The sender waits for a 100 before it sends the body. */
  readonly awaited: boolean;
}

/** Tokens are looked up by their digest, so that the time of a look-up says nothing about them. */
function keyOf(token: string): string {
  return sha256Of(Buffer.from(token));
}

function encodingOf({ headers }: IncomingMessage): OtlpEncoding | undefined {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  return type.trim() === MEDIA_TYPES.json ? 'json' : type.trim() === MEDIA_TYPES.protobuf ? 'protobuf' : undefined;
}

/** Reads and unpacks a body. Rejects with a Refused. */
async function bodyOf(request: IncomingMessage, response: ServerResponse, awaited: boolean): Promise<Buffer> {
  const { 'content-encoding': packing = 'identity', 'content-length': length = '0' } = request.headers;
  if (!/^(?:identity|gzip)$/i.test(packing)) throw new Refused(415, CODE.invalid, 'The body must be plain or gzip.');
  if (Number(length) > EXPORT_BYTES) throw tooLarge();
  if (awaited) response.writeContinue();
  const body = await readWhole(request);
  if (packing.toLowerCase() === 'identity') return body;
  try {
    return await unpack(body, { maxOutputLength: EXPORT_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new Refused(400, CODE.invalid, 'The body is not gzip.');
  }
}

function readWhole(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= EXPORT_BYTES) chunks.push(chunk);
      else {
        request.pause();
        chunks.length = 0;
        reject(tooLarge());
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => reject(new Refused(400, CODE.invalid, 'The body did not arrive whole.')));
    request.on('error', () => {});
  });
}

function tooLarge(): Refused {
  return new Refused(413, CODE.invalid, `An export may have ${EXPORT_BYTES / 1024 / 1024} MiB, also unpacked.`);
}

const CLOSE = { Connection: 'close' };

function respond(
  response: ServerResponse,
  status: number,
  type: string,
  body: Uint8Array,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...more,
  });
  response.end(body);
}
