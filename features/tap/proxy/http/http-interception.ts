import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseBounded } from '@/lib/json/parse';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { RuleOwner } from '@/lib/mcp/message-interceptor';
import type { Headers } from '@/lib/transports/http-link';
import { INTERCEPT_LIMITS } from '@/lib/wire/intercept';
import { idKey, type RequestId } from '@/lib/wire/message';
import { answerRequest, type RuledSession } from '../control-requests';
import type { FirstMessage } from '../session-files';
import { EventRelay } from './event-relay';
import type { RecordedExchange } from './exchange-feed';
import { HostResponse } from './host-response';
import { type AroundPost, InterceptedPost, postAnswer } from './intercepted-post';
import type { PassingSession } from './passing-session';
import { type EndpointRewriter, rewrittenRequestHeaders } from './rewrites';
import { SessionRules } from './session-rules';
import type { TappedSessions } from './sessions';

/** Milliseconds that the sender of a body may be silent. */
const BODY_SILENCE_MS = 60_000;

/** An event stream that passes to a host. */
export interface RunningStream {
  readonly method: string;
  readonly target: string;
  /** Headers of the request, as the host sent them. */
  readonly headers: Headers;
  readonly response: ServerResponse;
  readonly exchange: RecordedExchange | undefined;
  readonly endpoint: EndpointRewriter | undefined;
  /** The last bytes that have passed. */
  tail: Buffer;
  /** Takes what arrives from now on. */
  relay: EventRelay | undefined;
}

/** The sessions of the tap, and what passes now. */
export interface Passing extends AroundPost {
  readonly sessions: TappedSessions<PassingSession>;
  streams(): Iterable<RunningStream>;
  /** Returns the session of an event stream that began before there were rules, if it is known. */
  sessionOfStream(stream: RunningStream): PassingSession | undefined;
  /** Resolves with the first messages of a session. */
  firstMessages(session: string): Promise<readonly FirstMessage[]>;
}

/** Applies rules to what passes through an HTTP tap. Loaded with the first rule. */
export class HttpInterception {
  readonly #passing: Passing;
  readonly #apply: ((session: RuledSession) => void) | undefined;
  /** Sessions with rules in force, or with messages that wait. */
  readonly #active = new Set<PassingSession>();
  /** The response on which the answer to a request goes. */
  readonly #answers = new WeakMap<PassingSession, Map<string, HostResponse>>();

  /** `apply` puts the rules of files in force in a session. */
  constructor(passing: Passing, apply: ((session: RuledSession) => void) | undefined) {
    this.#passing = passing;
    this.#apply = apply;
  }

  /** True if messages have to be looked at. */
  get isActive(): boolean {
    return this.#apply !== undefined || this.#active.size > 0;
  }

  /** Does what a page asks for in a session. Rejects with a Failure. */
  async request(session: PassingSession, owner: RuleOwner, asked: JsonObject, isGone: () => boolean): Promise<unknown> {
    if (!session.rules) {
      const first = await this.#passing.firstMessages(session.name);
      session.rules ??= this.#newRules(session);
      session.rules.readEarlier(first);
    }
    return isGone() ? undefined : answerRequest(session.rules, owner, asked);
  }

  /** Removes the rules of a page in all sessions, and passes on what they hold. */
  removeOwner(owner: RuleOwner): void {
    for (const { rules } of this.#passing.sessions.all()) rules?.removeOwner(owner);
  }

  /** The session has ended. */
  forget(session: PassingSession): void {
    session.rules?.end();
    this.#active.delete(session);
  }

  /** Returns the session of a request without a message. */
  sessionOf(method: string, target: string, headers: Headers): PassingSession {
    return this.#withRules(this.#passing.sessions.sessionOf({ method, target, headers }));
  }

  /**
   * Passes a POST on through the rules. Returns false, with the body still to be read, if it is too large; `undefined`
   * if the host has left.
   */
  async pass(request: IncomingMessage, response: ServerResponse, headers: Headers): Promise<boolean | undefined> {
    const { sessions, url, origins } = this.#passing;
    const target = request.url ?? '/';
    const read = await readBody(request);
    if (!read) return undefined;
    const message = objectIn(read.bytes);
    const isRpc = message !== undefined && Object.hasOwn(message, 'jsonrpc');
    const facts = { method: 'POST', target, headers: rewrittenRequestHeaders(headers, origins) };
    const isElsewhere = target.split('?', 1)[0] !== url.pathname && !isRpc && !sessions.find(facts)?.hasEndpoint;
    if (!read.isWhole) {
      if (!isElsewhere) this.#reportLarge(facts, read.bytes, response);
      request.unshift(read.bytes);
      return false;
    }
    const session = this.#withRules(sessions.sessionOf({ ...facts, message }));
    const host = new HostResponse(response, headers, false);
    const post = new InterceptedPost(this.#passing, session, { target, headers }, host);
    const key = message && idKey(own(message, 'id'));
    if (key !== undefined) this.#answersOf(session).set(key, host);
    response.once('close', () => {
      if (key !== undefined) this.#answersOf(session).delete(key);
    });
    host.onLeave(() => {
      session.rules?.end(host);
      post.abort();
    });
    if (isElsewhere || read.bytes.length === 0) post.pass(read.bytes);
    else post.begin(read.bytes);
    return true;
  }

  /** Lets the rules decide over the rest of an event stream. */
  join(stream: RunningStream, known?: PassingSession): void {
    if (stream.relay) return;
    const { passing, method, target, headers } = { passing: this.#passing, ...stream };
    const session = known ?? passing.sessionOfStream(stream);
    if (!session) return;
    const host = new HostResponse(stream.response, headers, true);
    stream.relay = new EventRelay({
      session,
      host,
      exchange: stream.exchange,
      log: passing.log,
      endpoint: stream.endpoint,
      tail: stream.tail,
      onEndpoint: (text) => passing.onEndpoint(session, text),
      post: (bytes) => postAnswer(passing, session, { target, headers }, bytes),
    });
    if (method === 'GET') session.streams.add(host);
    stream.response.once('close', () => session.streams.delete(host));
    host.onLeave(() => session.rules?.end(host));
  }

  #withRules(session: PassingSession): PassingSession {
    if (this.#apply && !session.rules) {
      session.rules = this.#newRules(session);
      this.#apply(session.rules);
    }
    return session;
  }

  #newRules(session: PassingSession): SessionRules {
    const rules = new SessionRules(
      session.name,
      this.#passing.log,
      (bytes, stream) => this.#announce(session, bytes, stream),
      () => this.#onChange(session, rules),
    );
    return rules;
  }

  #onChange(session: PassingSession, rules: SessionRules): void {
    const wasActive = this.isActive;
    if (rules.isActive) this.#active.add(session);
    else this.#active.delete(session);
    if (!wasActive && this.isActive) for (const stream of this.#passing.streams()) this.join(stream);
  }

  #announce(session: PassingSession, bytes: Uint8Array, stream: RequestId | undefined): void {
    const host = stream === undefined ? session.stream : this.#answersOf(session).get(idKey(stream));
    if (host && !host.isOver) host.send(bytes);
  }

  #answersOf(session: PassingSession): Map<string, HostResponse> {
    const known = this.#answers.get(session) ?? new Map<string, HostResponse>();
    this.#answers.set(session, known);
    return known;
  }

  #reportLarge(
    facts: Parameters<TappedSessions<PassingSession>['find']>[0],
    bytes: Buffer,
    response: ServerResponse,
  ): void {
    const host = new HostResponse(response, facts.headers, false);
    const route = { host, toServer: () => {}, toClient: () => false, settle: () => {}, cut: () => {} };
    this.#passing.sessions.find(facts)?.rules?.onMessage('to-server', bytes, route);
  }
}

interface ReadBody {
  readonly bytes: Buffer;
  /** False if more is to come. */
  readonly isWhole: boolean;
}

/** Reads a body that rules can decide over. Resolves with undefined if the host leaves or is silent for too long. */
function readBody(request: IncomingMessage): Promise<ReadBody | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const silence = setTimeout(() => request.socket.destroy(), BODY_SILENCE_MS).unref();
    const end = (isWhole: boolean | undefined): void => {
      clearTimeout(silence);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(isWhole === undefined ? undefined : { bytes: Buffer.concat(chunks), isWhole });
    };
    const onData = (chunk: Buffer): void => {
      silence.refresh();
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= INTERCEPT_LIMITS.messageBytes) return;
      request.pause();
      end(false);
    };
    const onEnd = (): void => end(true);
    const onClose = (): void => end(undefined);
    request.on('data', onData).once('end', onEnd).once('close', onClose);
  });
}

function objectIn(bytes: Buffer): JsonObject | undefined {
  try {
    const value = parseBounded(bytes.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
