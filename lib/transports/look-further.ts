import type { NearbyAddresses } from '@/lib/wire/command';
import { HOST_REQUEST, neighbourId } from '@/lib/wire/host-requests';
import { METHOD } from '@/lib/wire/protocol-names';
import {
  asConnectionError,
  type ExchangeContext,
  exchangeContext,
  type HttpConfig,
  RunningExchange,
  withAuthorization,
} from './http-exchange';
import { statusFailure } from './http-failures';
import { type Headers, headerOf, mediaType } from './http-link';
import { withOwn } from './request-headers';

/** Milliseconds that one request to a neighbouring address may take. */
const FURTHER_MS = 5000;

/** A request to an address where a server may be. */
interface Neighbour {
  /** POST: a `ping`, which has no effect. GET: for an event stream or a page. */
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** True for the origin that the user gave. Only this origin gets the user's headers. */
  readonly sameOrigin: boolean;
  /** Set for a card. Its body is not a message. */
  readonly accept?: string;
}

/** The usual paths of servers, and the method to probe each with. */
const PATHS = [
  ['POST', 'mcp'],
  ['GET', 'sse'],
] as const;

const LOOPBACK: ReadonlyMap<string, string> = new Map([
  ['127.0.0.1', '[::1]'],
  ['[::1]', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
]);

/** The media type of a Server Card. */
export const CARD_TYPE = 'application/mcp-server-card+json';

/** Returns the address that MCP reserves for the card of a server: its URL and `/server-card`. */
function cardUrl(url: string): string {
  const own = new URL(url);
  own.pathname = `${own.pathname.replace(/\/+$/, '')}/server-card`;
  own.hash = '';
  return own.href;
}

/** Returns the addresses to try when no server was found at `url`, nearest first. */
export function neighboursOf(url: string, where: NearbyAddresses): readonly Neighbour[] {
  if (where === 'server-card') return [{ method: 'GET', url: cardUrl(url), sameOrigin: true, accept: CARD_TYPE }];
  const own = new URL(url);
  if (where === 'loopback') {
    const other = LOOPBACK.get(own.hostname);
    if (other === undefined) return [];
    own.hostname = other;
    return [{ method: 'POST', url: own.href, sameOrigin: false }];
  }
  const path = own.pathname.replace(/\/+$/, '');
  // A printed address was not asked yet.
  const itself =
    where === 'printed' && path !== '' ? [{ method: 'POST', url: own.href, sameOrigin: true } as const] : [];
  const folders = new Set([path, path.slice(0, path.lastIndexOf('/')), ''].map((folder) => `${folder}/`));
  const questions = [...folders].flatMap((folder) =>
    PATHS.map(([method, name]) => ({ method, url: own.origin + folder + name, sameOrigin: true })),
  );
  const asked = { GET: '', POST: own.origin + path };
  return [
    ...itself,
    // Nobody uses `/mcp/mcp` or `/sse/mcp`.
    ...questions.filter(
      (question) => asked[question.method] !== question.url && !/\/(mcp|sse)\/(mcp|sse)$/.test(question.url),
    ),
    { method: 'GET', url: `${own.origin}/`, sameOrigin: true },
  ];
}

/**
 * Probes all neighbouring addresses at once and logs every exchange. Resolves when all have ended or `signal` is
 * aborted.
 */
export async function probeNeighbours(config: HttpConfig, where: NearbyAddresses, signal: AbortSignal): Promise<void> {
  const { url, headers, sink, link, clock } = config;
  // The answers are for the log only, and a refusal starts no authorization.
  const context = exchangeContext({ url, headers, sink, link, clock, mayConcernEngine: () => false });
  await Promise.all(
    neighboursOf(url, where).map(({ method, url: there, sameOrigin, accept }, index) =>
      ask(
        config,
        context,
        {
          method,
          url: there,
          headers: withOwn(sameOrigin ? headers : [], accept ? [['Accept', accept]] : ownHeaders(method)),
          ...(method === 'POST' && { message: { id: neighbourId(index + 1), method: 'ping' } }),
          ...(accept !== undefined && { about: 'server-card' }),
        },
        signal,
      ),
    ),
  );
  link.close();
}

/** One request of a probe. */
interface Question {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Headers;
  readonly about?: 'server-card';
  readonly message?: { readonly id?: string; readonly method: string; readonly params?: object };
}

/**
 * Sends what only some hosts send: a request with a session that nobody began, and in a session of its own one without
 * `MCP-Protocol-Version`. Sends the token of the connection, if it has one, but never obtains one. `open`: the session
 * of the connection, which must live on. Resolves when all exchanges are logged.
 */
export async function sendAsHosts(
  config: HttpConfig,
  connection: ExchangeContext,
  open: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { url, headers, authorizer } = config;
  const context: ExchangeContext = { ...connection, mayConcernEngine: () => false };
  const sent = (question: Omit<Question, 'url'>) =>
    ask(config, context, { ...question, url, headers: withAuthorization(question.headers, authorizer) }, signal);
  const post = (message: NonNullable<Question['message']>, ...more: Headers) =>
    sent({ method: 'POST', headers: withOwn(headers, [...ownHeaders('POST'), ...more]), message });
  const version = ['MCP-Protocol-Version', HOSTS_VERSION] as const;
  await post({ id: HOST_REQUEST.session, method: 'ping' }, ['Mcp-Session-Id', crypto.randomUUID()], version);
  const clientInfo = { name: 'mcp-inspect', version: '0' };
  const params = { protocolVersion: HOSTS_VERSION, capabilities: {}, clientInfo };
  const answered = await post({ id: HOST_REQUEST.initialize, method: 'initialize', params });
  if (!answered) return;
  const id = headerOf(answered, 'mcp-session-id');
  const session: Headers = id === undefined ? [] : [['Mcp-Session-Id', id]];
  await post({ method: METHOD.initialized }, ...session, version);
  await post({ id: HOST_REQUEST.version, method: 'ping' }, ...session, version);
  await post({ id: HOST_REQUEST.noVersion, method: 'ping' }, ...session);
  // Some servers give everybody the same session.
  if (id !== undefined && id !== open)
    await sent({ method: 'DELETE', headers: withOwn(headers, [...session, version]) });
}

/** The version in which hosts connect today. */
const HOSTS_VERSION = '2025-11-25';

/** Sends one request, and logs it and its answer. Returns the headers of a good answer. Never rejects. */
async function ask(
  { clock, sink }: HttpConfig,
  context: ExchangeContext,
  { method, url, headers, about, message }: Question,
  signal: AbortSignal,
): Promise<Headers | undefined> {
  const body = message && new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const ids = message?.id === undefined ? [] : [message.id];
  const exchange = new RunningExchange(context, about);
  const stop = (): void => exchange.abort(ids);
  const cancelTimer = clock.after(FURTHER_MS, () => {
    exchange.end('failure', TOO_LATE, ids);
    exchange.abort();
  });
  signal.addEventListener('abort', stop, { once: true });
  exchange.announce(method, url, headers, body);
  if (body) sink.appendFrame('protocol', 'to-server', body, 0, body.length, 0);
  let answered: Headers | undefined;
  try {
    const answer = await exchange.send(method, url, headers, body);
    if (answer.status < 300) answered = answer.headers;
    if (about) await exchange.text(answer);
    // The first event is enough, and the stream may never end.
    else if (mediaType(answer.headers) === 'text/event-stream') await exchange.stream(answer, () => exchange.abort());
    else await exchange.body(answer);
    if (answer.status >= 300 && !exchange.aborted) exchange.end('server', statusFailure(answer.status), ids);
  } catch (error) {
    if (!exchange.aborted) exchange.end('failure', asConnectionError(error), ids);
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', stop);
  }
  return answered;
}

function ownHeaders(method: Neighbour['method']): Headers {
  if (method === 'GET') return [['Accept', 'text/event-stream, text/html;q=0.5']];
  return [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
  ];
}

const TOO_LATE = {
  code: 'connection-timeout',
  message: `No response within ${FURTHER_MS / 1000} seconds.`,
};
