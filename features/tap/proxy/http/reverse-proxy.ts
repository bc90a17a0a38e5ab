import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Headers, headerOf, mediaType } from '@/lib/transports/http-link';
import { ConnectionError } from '@/lib/transports/transport';
import { docsUrl } from '@/lib/wire/docs-url';
import type { Egress } from '@/proxy/egress/egress';
import { refuseUnparsed, requestFacts } from '@/proxy/http/dispatch';
import { GUARD_RULES, type GuardPolicy, guard, type RouteShape } from '@/proxy/http/guard';
import { bareReply, sendReply } from '@/proxy/http/reply';
import { browserDecision } from './browser-requests';
import { TAIL_BYTES } from './event-splitter';
import type { ExchangeFeed, RecordedExchange } from './exchange-feed';
import { brokenOff, recordedFailure, requireStatus } from './failures';
import type { RunningStream } from './http-interception';
import type { HttpTapControl, ProxyPart } from './http-tap-control';
import type { PassingSession } from './passing-session';
import {
  EndpointRewriter,
  isResourceMetadata,
  isServerMetadata,
  metadataPath,
  type Origins,
  pairs,
  responseHeaders,
  responseReason,
  rewriteIssuer,
  rewrittenRequestHeaders,
} from './rewrites';
import { SignIns } from './sign-in';

/** Most bytes of request line and headers. Some headers repeat arguments (2026-07-28). */
const HEADER_BYTES = 256 * 1024;
/** Milliseconds until all headers have arrived, and how often that is checked. */
const HEADERS_MS = 10_000;
const CHECK_MS = 1000;
/** Milliseconds that the sender of a body may be silent, if the server would take more. */
const BODY_SILENCE_MS = 60_000;
/** Milliseconds that a socket may be idle between requests. Longer than most clients keep theirs. */
const IDLE_MS = 65_000;
/** Bytes of metadata that is rewritten. More passes as it is, which a host then refuses. */
const METADATA_BYTES = 256 * 1024;
/** Paths of metadata in challenges that are remembered. A server has one or two. */
const METADATA_PATHS = 20;

/** Methods that MCP, OAuth and browsers use. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);
/** Methods whose exchanges are recorded. */
const RECORDED: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE']);
/** Guard rules about the page, its token and its paths, which a tap does not have. New rules apply by default. */
const PAGE_RULES: ReadonlySet<string> = new Set([
  'upgrade-origin',
  'path',
  'method',
  'content-type',
  'token',
  'subprotocol',
]);
const RULES = GUARD_RULES.filter(({ name }) => !PAGE_RULES.has(name));

export interface ReverseProxyOptions {
  /** URL of the server. */
  readonly url: URL;
  readonly egress: Pick<Egress, 'pass' | 'send'>;
  /** For tests: see {@link HEADERS_MS}. */
  readonly headersMs?: number;
  /** Tells the person at the terminal, once for each text. */
  note(sentence: string): void;
}

/** Passes the requests of hosts on to one server, and its responses back. */
export class ReverseProxy {
  readonly server: Server;
  readonly #options: ReverseProxyOptions;
  readonly #metadataPaths = new Set<string>();
  readonly #running = new Set<AbortController>();
  readonly #streams = new Set<RunningStream>();
  #origins: Origins;
  #policy: GuardPolicy<RouteShape> | undefined;
  #signIns: SignIns | undefined;
  #feed: ExchangeFeed | undefined;
  #control: HttpTapControl | undefined;

  constructor(options: ReverseProxyOptions) {
    this.#options = options;
    this.#origins = { server: options.url.origin, host: options.url.host, tap: '' };
    this.server = createServer({
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: options.headersMs ?? HEADERS_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: IDLE_MS,
      // Each body has a limit of its own.
      requestTimeout: 0,
      requireHostHeader: false,
      noDelay: true,
    });
    this.server.on('request', (request, response) => this.#onRequest(request, response, false));
    // The guard comes before the body.
    this.server.on('checkContinue', (request, response) => this.#onRequest(request, response, true));
    this.server.on('clientError', refuseUnparsed);
  }

  /** The parts of it that rules need. */
  get part(): ProxyPart {
    return {
      ...this.#options,
      origins: this.#origins,
      onResponse: (status, headers, hadToken) => this.#explain(status, headers, hadToken),
      streams: () => this.#streams,
    };
  }

  /** Call this once the addresses are known, before the first request. Without a feed, nothing is recorded. */
  onListening(
    authorities: ReadonlySet<string>,
    shown: string,
    feed: ExchangeFeed | undefined,
    control: HttpTapControl,
  ): void {
    this.#origins = { ...this.#origins, tap: `http://${shown}` };
    this.#control = control;
    const route: RouteShape = { method: 'POST', path: '', upgrade: false, access: 'open' };
    this.#feed = feed;
    this.#signIns = new SignIns({
      link: this.#options.egress,
      origins: this.#origins,
      record: (method, url, headers) => feed?.begin(method, url, headers),
    });
    this.#policy = { authorities, routes: [], pages: route, acceptsToken: () => true, rules: RULES };
  }

  /** Ends everything that runs, and listens no more. */
  close(): void {
    this.server.close();
    for (const abort of this.#running) abort.abort();
    this.server.closeAllConnections();
  }

  #onRequest(request: IncomingMessage, response: ServerResponse, awaited: boolean): void {
    // A host that leaves during a response is not an error.
    response.on('error', () => {});
    request.on('error', () => {});
    const decision = guard(requestFacts(request, false), this.#policy!);
    if (!decision.allow) {
      this.#options.note(`Refused a request: ${REFUSED[decision.reason] ?? decision.reason}.`);
      sendReply(response, bareReply(decision.status), true);
      return;
    }
    if (!METHODS.has(request.method ?? '')) sendReply(response, bareReply(405), true);
    else {
      const path = request.url!.split('?', 1)[0]!;
      const isOurs = this.#signIns!.handles(path);
      const decided = browserDecision(request.method!, request.headers);
      // The page of a sign-in is opened from anywhere.
      const isOpened = decided === 'redirect' && isOurs;
      if (decided !== 'pass' && !isOpened) {
        this.#answerBrowser(decided, request, response);
        return;
      }
      if (awaited) response.writeContinue();
      const passing = isOurs ? this.#signIns!.answer(request, response) : this.#pass(request, response);
      // One exchange must not end the others.
      passing.catch((error: Error) => {
        this.#options.note(`Passing a request failed: ${error.message}`);
        response.destroy();
      });
    }
  }

  #answerBrowser(decided: 'redirect' | 'refuse', request: IncomingMessage, response: ServerResponse): void {
    const headers = { 'Cache-Control': 'no-store', 'Content-Length': 0, Connection: 'close' };
    if (decided === 'redirect') {
      response.writeHead(302, { ...headers, Location: `${this.#origins.server}${request.url}` }).end();
      return;
    }
    this.#options.note(`Refused a request: ${REFUSED['origin-foreign']}.`);
    sendReply(response, bareReply(403), true);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url, egress, note } = this.#options;
    const { method = 'GET', url: target = '/' } = request;
    const given = pairs(request.rawHeaders);
    const hasBody = request.headers['content-length'] !== undefined || 'transfer-encoding' in request.headers;
    const rules = this.#control?.active;
    if (rules && method === 'POST' && hasBody && (await rules.pass(request, response, given)) !== false) return;
    const isChunked = 'transfer-encoding' in request.headers;
    const headers: Headers = [
      ...rewrittenRequestHeaders(given, this.#origins),
      ...(isChunked ? [['Transfer-Encoding', 'chunked'] as const] : []),
    ];
    const abort = new AbortController();
    this.#running.add(abort);
    const session = rules && method !== 'POST' ? rules.sessionOf(method, target, headers) : undefined;
    const exchange = RECORDED.has(method) ? this.#feed?.begin(method, target, headers, session?.name) : undefined;
    response.once('close', () => {
      this.#running.delete(abort);
      if (response.writableFinished) return;
      if (!abort.signal.aborted) exchange?.onEnd({ by: 'client' });
      abort.abort();
    });
    if (hasBody) watchBody(request, exchange, abort);
    else {
      exchange?.onRequestEnd();
      request.resume();
    }
    try {
      const message = await egress.pass({
        method,
        origin: url,
        target,
        headers,
        signal: abort.signal,
        body: hasBody ? request : undefined,
        onSocket: (attempt) => exchange?.onSocket(attempt),
      });
      // A server may answer before it has read the whole request, and leave the rest.
      message.once('close', () => request.resume());
      await this.#answer(message, { response, exchange, target, method, given, session });
    } catch (error) {
      const { code, message, advice } = error as ConnectionError;
      if (abort.signal.aborted) return;
      exchange?.onEnd({ by: 'failure', code, message });
      abort.abort();
      note(error instanceof ConnectionError ? `${message} ${advice}` : `Passing a request failed: ${message}`);
      if (response.headersSent) response.destroy();
      else sendReply(response, { ...bareReply(502), body: `mcp-inspect tap: ${message}\n` }, true);
    }
  }

  /** Passes a response on. Rejects if it breaks off. */
  async #answer(message: IncomingMessage, passing: Passing): Promise<void> {
    const { response, exchange, target, method } = passing;
    const status = requireStatus(message);
    const given = pairs(message.rawHeaders);
    exchange?.onResponse(status, given);
    this.#explain(status, given, headerOf(passing.given, 'authorization') !== undefined);
    const headers = responseHeaders(given, this.#origins);
    response.sendDate = false;
    const path = target.split('?', 1)[0]!;
    if (status === 200 && method === 'GET' && this.#isMetadata(path)) {
      await this.#answerMetadata(message, headers, passing);
      return;
    }
    response.writeHead(status, responseReason(message), headers.flat());
    const isStream = mediaType(given) === 'text/event-stream';
    const endpoint = isStream && method === 'GET' ? new EndpointRewriter(this.#origins) : undefined;
    // A body that follows at once comes in the same packet.
    if (isStream) response.flushHeaders();
    else setImmediate(() => response.headersSent && !response.writableEnded && response.flushHeaders());
    if (!isStream || headerOf(given, 'content-encoding') !== undefined) {
      await passBody(message, response, exchange, undefined);
      return;
    }
    const stream: RunningStream = {
      method,
      target,
      headers: passing.given,
      response,
      exchange,
      endpoint,
      tail: Buffer.alloc(0),
      relay: undefined,
    };
    this.#streams.add(stream);
    response.once('close', () => this.#streams.delete(stream));
    this.#control?.active?.join(stream, passing.session);
    await passBody(message, response, exchange, stream);
  }

  #isMetadata(path: string): boolean {
    return isResourceMetadata(path) || isServerMetadata(path) || this.#metadataPaths.has(path);
  }

  async #answerMetadata(message: IncomingMessage, headers: Headers, passing: Passing): Promise<void> {
    const { response, exchange, target } = passing;
    const path = target.split('?', 1)[0]!;
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of message as AsyncIterable<Buffer>) {
        void exchange?.onBody('response', chunk);
        bytes += chunk.length;
        if (bytes > METADATA_BYTES) throw tooLarge();
        chunks.push(chunk);
      }
    } catch (error) {
      throw error instanceof ConnectionError ? error : brokenOff();
    }
    requireComplete(message);
    exchange?.onEnd({ by: 'server' });
    const body = Buffer.concat(chunks);
    const text = body.toString();
    const rewritten = isServerMetadata(path)
      ? rewriteIssuer(text, this.#origins)
      : await this.#signIns!.rewriteResource(text);
    const sent = rewritten === undefined ? body : Buffer.from(rewritten);
    const rest = headers.filter(([name]) => name.toLowerCase() !== 'content-length');
    response.writeHead(200, responseReason(message), [...rest.flat(), 'Content-Length', String(sent.length)]);
    response.end(sent);
  }

  /** Remembers where the metadata is, and tells what can't work. */
  #explain(status: number, headers: Headers, hadToken: boolean): void {
    if (status !== 401) return;
    const path = metadataPath(headers, this.#origins.server);
    if (path !== undefined && this.#metadataPaths.size < METADATA_PATHS) this.#metadataPaths.add(path);
    if (hadToken) this.#options.note(TOKEN_REFUSED);
  }
}

interface Passing {
  readonly response: ServerResponse;
  readonly exchange: RecordedExchange | undefined;
  readonly target: string;
  readonly method: string;
  /** Headers of the request. */
  readonly given: Headers;
  readonly session: PassingSession | undefined;
}

const TOKEN_REFUSED = `The server refused a token. If it accepts only tokens for its own URL, the host can’t sign in through a tap: see ${docsUrl('tap')}.`;

const REFUSED: Readonly<Record<string, string>> = {
  'target-form': 'its target was not a plain path',
  'host-count': 'it had no Host header, or more than one',
  'host-foreign': 'its Host header is not an address of this tap (`--listen` names more)',
  'origin-foreign': 'a web page of another site sent it',
};

/** Records the body of a request beside its passing, and ends an exchange whose body does not come. */
function watchBody(request: IncomingMessage, exchange: RecordedExchange | undefined, abort: AbortController): void {
  const silence = setTimeout(() => {
    // A server that does not read is waited for.
    if (request.isPaused() || request.readableLength > 0) silence.refresh();
    else if (!request.complete) {
      abort.abort();
      request.socket.destroy();
    }
  }, BODY_SILENCE_MS).unref();
  // It flows once there is a socket to the server.
  request.pause();
  request.on('data', (chunk: Buffer) => {
    silence.refresh();
    const recorded = exchange?.onBody('request', chunk);
    if (!recorded) return;
    request.pause();
    void recorded.then(() => request.resume());
  });
  request.once('end', () => exchange?.onRequestEnd());
  request.once('close', () => clearTimeout(silence));
}

/** Passes a body on as it comes. Reads no more while the host does not read. Rejects if it breaks off. */
function passBody(
  message: IncomingMessage,
  response: ServerResponse,
  exchange: RecordedExchange | undefined,
  stream: RunningStream | undefined,
): Promise<void> {
  const endpoint = stream?.endpoint;
  return new Promise((resolve, reject) => {
    let waits = 0;
    const resume = (): void => void (--waits === 0 && message.resume());
    const wait = (): void => void (waits++ === 0 && message.pause());
    message.on('data', (chunk: Buffer) => {
      if (stream?.relay) {
        const waiting = stream.relay.feed(chunk);
        if (!waiting) return;
        wait();
        void waiting.then(resume);
        return;
      }
      // Rules may come while an event passes.
      if (stream) stream.tail = Buffer.from(chunk.subarray(-TAIL_BYTES));
      const recorded = exchange?.onBody('response', chunk);
      const passed = endpoint ? endpoint.rewrite(chunk) : chunk;
      if (passed.length > 0 && !response.write(passed)) {
        wait();
        response.once('drain', resume);
      }
      if (recorded) {
        wait();
        void recorded.then(resume);
      }
    });
    message.once('end', () => {
      try {
        requireComplete(message);
        exchange?.onEnd({ by: 'server' });
        if (stream?.relay) stream.relay.end(false);
        else response.end(endpoint?.end());
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    message.once('close', () => {
      if (message.readableEnded || response.destroyed) resolve();
      else if (!stream?.relay) reject(brokenOff());
      else {
        // What waits there comes first.
        exchange?.onEnd({ by: 'failure', ...recordedFailure(brokenOff()) });
        stream.relay.end(true);
        resolve();
      }
    });
  });
}

function requireComplete(message: IncomingMessage): void {
  if (!message.complete) throw brokenOff();
}

function tooLarge(): ConnectionError {
  return new ConnectionError({
    code: 'body-too-large',
    message: 'The server’s OAuth metadata is too large.',
    advice: 'Make it shorter.',
  });
}
