import { isObject } from '@/lib/wire/message';
import type { AttemptFacts } from './attempt-facts';
import { type ExchangeFacts, headerIn, typeOf } from './exchange-facts';
import type { Finding } from './finding';

/** What answered beside the URL. */
interface Found {
  readonly url: string;
  readonly transport: 'http' | 'sse';
  /** False: something there wants to know who asks, as servers do. */
  readonly sure: boolean;
  readonly seq: number;
}

/** What the questions to the neighbours add to a finding; undefined before they were asked. */
export function elsewhere({ further, looked }: AttemptFacts): Pick<Finding, 'advice' | 'actions' | 'seq'> | undefined {
  if (looked !== 'paths') return undefined;
  const found = further.flatMap(judge);
  const best = found.find(({ sure }) => sure) ?? found[0];
  if (!best) {
    const paths = further.map(({ request }) => new URL(request.url).pathname).join(', ');
    return { advice: `No MCP server answered at ${paths} either: look up its path, or start it.` };
  }
  const { pathname } = new URL(best.url);
  const what = best.transport === 'sse' ? 'a server of HTTP+SSE' : 'a server of Streamable HTTP';
  return {
    advice: best.sure
      ? `At ${pathname} answers ${what}: use that address.`
      : `At ${pathname} something wants to know who asks, as MCP servers do: try that address.`,
    actions: [{ kind: 'use-url', url: best.url, transport: best.sure ? best.transport : 'auto' }],
    seq: best.seq,
  };
}

function judge(exchange: ExchangeFacts): Found[] {
  const { request, response, answer, events } = exchange;
  if (!response || !URL.canParse(request.url)) return [];
  const { url } = request;
  const { seq, status } = response;
  if (request.method === 'POST') {
    const rpc =
      isObject(answer?.value) && (Object.hasOwn(answer.value, 'jsonrpc') || Object.hasOwn(answer.value, 'error'));
    const stream = status === 200 && typeOf(exchange) === 'text/event-stream';
    if (stream || (rpc && ![401, 403].includes(status))) return [{ url, transport: 'http', sure: true, seq }];
  }
  if (events.some(({ event }) => event === 'endpoint')) return [{ url, transport: 'sse', sure: true, seq }];
  const asks = status === 401 && headerIn(response.headers, 'www-authenticate') !== undefined;
  const usual = /\/(mcp|sse)$/.test(new URL(url).pathname);
  return asks && usual ? [{ url, transport: request.method === 'POST' ? 'http' : 'sse', sure: false, seq }] : [];
}
