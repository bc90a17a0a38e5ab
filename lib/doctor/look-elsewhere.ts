import { isObject } from '@/lib/json/value';
import type { AttemptFacts } from './attempt-facts';
import { type HttpExchangeFacts, headerIn, mediaTypeOf } from './exchange-facts';
import { type DoctorFinding, LEAVE_OUT_TRANSPORT } from './finding';
import { isRedirected } from './remedies/redirects';

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** A server that answered at another path. */
interface FoundServer {
  readonly url: string;
  readonly transport: 'http' | 'sse';
  /** False if it requires sign-in, and so may or may not be an MCP server. */
  readonly sure: boolean;
  readonly seq: number;
}

/** Returns what "Try other addresses" adds to a finding, or the offer to run it. */
export function lookElsewhere(facts: AttemptFacts, { advice, actions = [] }: DoctorFinding): Partial<DoctorFinding> {
  return (
    findElsewhere(facts, advice) ??
    (facts.url ? { actions: [...actions, { kind: 'look-further', where: 'paths' }] } : {})
  );
}

/** Returns undefined if "Try other addresses" did not run. */
function findElsewhere(
  facts: AttemptFacts,
  usual: string,
): Partial<Pick<DoctorFinding, 'advice' | 'actions' | 'seq'>> | undefined {
  const { further, looked, start, url, exchange, fellBack } = facts;
  if (looked !== 'paths') return undefined;
  const found = further.flatMap(judge);
  const best = found.find(({ sure }) => sure) ?? found[0];
  if (!best) {
    // The time of a command may be over before a request has its answer.
    const asked = further.filter(({ response, end }) => response !== undefined || end?.code !== undefined);
    if (asked.length === 0) return {};
    const paths = OR.format(asked.map(({ request }) => new URL(request.url).pathname));
    const advice = `No MCP server answered at ${paths} either.`;
    // The way to HTTP+SSE says nothing about a Streamable HTTP server at the same path.
    if (start.transport === 'sse' && url) {
      return {
        advice: `${advice} ${LEAVE_OUT_TRANSPORT}`,
        actions: [{ kind: 'use-url', url: url.href, transport: 'auto' }],
      };
    }
    // The URL answers as HTTP+SSE does, or refuses for another reason, so the path may be right.
    const isRight = fellBack !== undefined && fellBack.refusal !== exchange;
    const { status, type } = facts;
    const isPath =
      status === 404 ||
      status === 405 ||
      status === 410 ||
      (status !== undefined && status < 300 && type === 'text/html');
    if (isRight || !isPath || isRedirected(facts)) return { advice: `${usual} ${advice}` };
    return { advice: `${advice} Look up the server’s path, or start the server.` };
  }
  const { pathname } = new URL(best.url);
  const what = best.transport === 'sse' ? 'An HTTP+SSE server' : 'A Streamable HTTP server';
  return {
    advice: best.sure
      ? `${what} answers at ${pathname}. Use that URL.`
      : `Something at ${pathname} requires sign-in, as MCP servers often do. Try that URL.`,
    actions: [{ kind: 'use-url', url: best.url, transport: best.sure ? best.transport : 'auto' }],
    seq: best.seq,
  };
}

/** Returns the server that an exchange found, if it found one. */
export function judge(exchange: HttpExchangeFacts): FoundServer[] {
  const { request, response, answer, events } = exchange;
  if (!response || !URL.canParse(request.url)) return [];
  const { url } = request;
  const { seq, status } = response;
  if (request.method === 'POST') {
    const rpc =
      isObject(answer?.value) && (Object.hasOwn(answer.value, 'jsonrpc') || Object.hasOwn(answer.value, 'error'));
    const stream = status === 200 && mediaTypeOf(exchange) === 'text/event-stream';
    if (stream || (rpc && ![401, 403].includes(status))) return [{ url, transport: 'http', sure: true, seq }];
  }
  if (events.some(({ event }) => event === 'endpoint')) return [{ url, transport: 'sse', sure: true, seq }];
  const requiresSignIn = status === 401 && headerIn(response.headers, 'www-authenticate') !== undefined;
  const isUsualPath = /\/(mcp|sse)$/.test(new URL(url).pathname);
  return requiresSignIn && isUsualPath
    ? [{ url, transport: request.method === 'POST' ? 'http' : 'sse', sure: false, seq }]
    : [];
}
