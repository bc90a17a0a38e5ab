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

/** How long the questions to a failed server's neighbouring addresses may take. */
const FURTHER_MS = 5000;

/** One question to an address where a server may be. */
export interface Neighbour {
  /** POST: a `ping`, which leaves nothing behind. GET: for an event stream, or whatever is there. */
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The same origin as the server's, so it may have the headers for that. */
  readonly home: boolean;
}

/** Where servers are by custom, and how each is asked. */
const PATHS = [
  ['POST', 'mcp'],
  ['GET', 'sse'],
] as const;

const LOOPBACK: ReadonlyMap<string, string> = new Map([
  ['127.0.0.1', '[::1]'],
  ['[::1]', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
]);

/** The addresses worth asking when nothing was found at `url`, nearest first. */
export function neighboursOf(url: string, where: NearbyAddresses): readonly Neighbour[] {
  const own = new URL(url);
  if (where === 'loopback') {
    const other = LOOPBACK.get(own.hostname);
    if (other === undefined) return [];
    own.hostname = other;
    return [{ method: 'POST', url: own.href, home: false }];
  }
  const path = own.pathname.replace(/\/+$/, '');
  const folders = new Set([path, path.slice(0, path.lastIndexOf('/')), ''].map((folder) => `${folder}/`));
  const questions = [...folders].flatMap((folder) =>
    PATHS.map(([method, name]) => ({ method, url: own.origin + folder + name, home: true })),
  );
  const asked = { GET: '', POST: own.origin + path };
  return [
    // `/mcp/mcp` and `/sse/mcp` are nowhere.
    ...questions.filter(
      (question) => asked[question.method] !== question.url && !/\/(mcp|sse)\/(mcp|sse)$/.test(question.url),
    ),
    { method: 'GET', url: `${own.origin}/`, home: true },
  ];
}

/** Asks all of them at a time, each question and answer in the log. Resolves when all is known or `signal` ended it. */
export async function probeNeighbours(config: HttpConfig, where: NearbyAddresses, signal: AbortSignal): Promise<void> {
  const { url, headers, sink, link, clock } = config;
  // What comes is for the log alone: nobody waits for it, and nothing is done to be let in.
  const around = exchangeContext({ url, headers, sink, link, clock, concerns: () => false });
  const questions = neighboursOf(url, where);
  await Promise.all(questions.map((question, index) => ask(config, around, question, index + 1, signal)));
  link.close();
}

async function ask(
  { clock, headers, sink }: HttpConfig,
  around: ExchangeContext,
  { method, url, home }: Neighbour,
  number: number,
  signal: AbortSignal,
): Promise<void> {
  const id = `look-further-${number}`;
  const ping = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
  const body = method === 'POST' ? ping : undefined;
  const ids = body ? [id] : [];
  const all = withOwn(home ? headers : [], ownHeaders(method));
  const exchange = new HttpExchange(around);
  const stop = (): void => exchange.abort(ids);
  const callOff = clock.after(FURTHER_MS, () => {
    exchange.end('failure', TOO_LATE, ids);
    exchange.abort();
  });
  signal.addEventListener('abort', stop, { once: true });
  exchange.announce(method, url, all, body);
  if (body) sink.frame('protocol', 'to-server', body, 0, body.length, 0);
  try {
    const answer = await exchange.send(method, url, all, body);
    // The first event says what this is; a stream has no end.
    if (mediaType(answer.headers) === 'text/event-stream') await exchange.stream(answer, () => exchange.abort());
    else await exchange.body(answer);
    if (answer.status >= 300 && !exchange.aborted) exchange.end('server', statusFailure(answer.status), ids);
  } catch (error) {
    if (!exchange.aborted) exchange.end('failure', asConnectionError(error), ids);
  } finally {
    callOff();
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
  message: `There was no answer within ${FURTHER_MS / 1000} seconds.`,
};
