import type { NearbyAddresses } from '@/lib/wire/command';
import {
  asConnectionError,
  type ExchangeContext,
  exchangeContext,
  type HttpConfig,
  HttpExchange,
} from './http-exchange';
import { statusFailure } from './http-failures';
import { type Headers, mediaType } from './http-link';
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
  const questions = neighboursOf(url, where);
  await Promise.all(questions.map((question, index) => ask(config, context, question, index + 1, signal)));
  link.close();
}

async function ask(
  { clock, headers, sink }: HttpConfig,
  context: ExchangeContext,
  { method, url, sameOrigin, accept }: Neighbour,
  number: number,
  signal: AbortSignal,
): Promise<void> {
  const id = `look-further-${number}`;
  const ping = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
  const body = method === 'POST' ? ping : undefined;
  const ids = body ? [id] : [];
  const all = withOwn(sameOrigin ? headers : [], accept ? [['Accept', accept]] : ownHeaders(method));
  const exchange = new HttpExchange(context, accept === undefined ? undefined : 'server-card');
  const stop = (): void => exchange.abort(ids);
  const cancelTimer = clock.after(FURTHER_MS, () => {
    exchange.end('failure', TOO_LATE, ids);
    exchange.abort();
  });
  signal.addEventListener('abort', stop, { once: true });
  exchange.announce(method, url, all, body);
  if (body) sink.appendFrame('protocol', 'to-server', body, 0, body.length, 0);
  try {
    const answer = await exchange.send(method, url, all, body);
    if (accept) await exchange.text(answer);
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
