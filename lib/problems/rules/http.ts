import { isObject, own } from '@/lib/json/value';
import { RecentMap } from '@/lib/store/columns/collections';
import { headerOf } from '@/lib/transports/http-link';
import { META_KEY, RPC_CODE } from '@/lib/wire/protocol-names';
import { decodeHeaderValue } from '@/lib/wire/repeated-headers';
import { isSuccess, type ProtocolState, type SeenMessage, type TrackedExchange } from '../protocol-state';
import { messageRule, type ProtocolRule, quote } from '../rule';
import { missingMeta } from './modern';

const ANSWER_TYPES = /^(?:application\/json|text\/event-stream)\s*(?:;|$)/i;
/** Methods whose Mcp-Name header repeats a param. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);
/** The HTTP status that modern servers must send with an error code. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  [RPC_CODE.methodNotFound, 404],
  [RPC_CODE.headerMismatch, 400],
  [RPC_CODE.missingCapability, 400],
  [RPC_CODE.unsupportedVersion, 400],
]);

/** A request, as it is or as it was remembered. */
type Posted = Pick<SeenMessage, 'method' | 'params'>;

/** Yields the headers that repeat the message, with their expected values. */
function* repeated({ method, params }: Posted): Generator<readonly [header: string, wanted: unknown]> {
  const meta = own(params, '_meta');
  yield ['Mcp-Method', method];
  if (isObject(meta)) yield ['MCP-Protocol-Version', own(meta, META_KEY.protocolVersion)];
  const name = NAMES.get(method);
  if (name !== undefined) yield ['Mcp-Name', own(params, name)];
}

/** Yields a sentence for each header that contradicts the message. */
function* mismatches(message: Posted, { request }: TrackedExchange): Generator<string> {
  for (const [header, wanted] of repeated(message)) {
    const value = headerOf(request.headers, header.toLowerCase());
    if (typeof wanted !== 'string' || (value !== undefined && decodeHeaderValue(value) === wanted)) continue;
    yield `${header} is ${value === undefined ? 'missing' : quote(value)}, expected ${quote(wanted)}.`;
  }
}

/** Statuses with which a server redirects. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns the HTTP request that carried a message, or whose response did, if it is a POST. */
export function postOf({ exchange }: Pick<SeenMessage, 'exchange'>, state: ProtocolState) {
  const found = exchange === undefined ? undefined : state.exchanges.get(exchange);
  return found?.request.method === 'POST' ? found : undefined;
}

/** Statuses that say nothing about the request: the server wants a sign-in, or is busy or broken. */
export const UNRELATED: ReadonlySet<number> = new Set([401, 403, 407, 429, 500, 502, 503, 504]);

/** Returns true for the status of a request that the server does not want. */
export function isRefusal(status: number): boolean {
  return status >= 400 && !UNRELATED.has(status);
}

/** Longest event id that is compared. */
const EVENT_ID_CHARS = 200;

/** Rules about HTTP. */
export const HTTP_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'header-mismatch',
      kinds: ['request'],
      severity: 'error',
      title: 'HTTP header contradicts the message',
      topic: 'http',
      advice: 'Set Mcp-Method, Mcp-Name and MCP-Protocol-Version to the values in the message.',
    },
    (seen, state, report) => {
      const post = postOf(seen, state);
      if (!post || !seen.modern || seen.direction !== 'to-server') return;
      for (const message of mismatches(seen, post)) report({ message, seqs: [post.seq] });
    },
  ),
  messageRule(
    {
      id: 'header-mismatch-accepted',
      kinds: ['response'],
      severity: 'error',
      title: 'Result for a request that its headers contradict',
      topic: 'http-validation',
      advice: 'Answer the request with HTTP 400 and error −32020.',
    },
    (seen, state, report) => {
      const { request, direction } = seen;
      const post = request && postOf(request, state);
      if (!post || !seen.modern || !state.modern || direction !== 'to-client' || request.answerSeq !== undefined)
        return;
      const [message] = mismatches(request, post);
      if (message !== undefined) report({ message, path: ['result'], seqs: [request.seq, post.seq] });
    },
  ),
  {
    id: 'http-status',
    severity: 'error',
    title: 'Wrong HTTP status for the message',
    topic: 'http',
    advice: 'Answer a request with HTTP 200 and a body. Answer other messages with HTTP 202 and no body.',
    checks: () => ({
      kinds: ['response'],
      message: (seen, state, report) => {
        const post = postOf(seen, state);
        // Other statuses of success are reported with the headers.
        if (state.transport !== 'http' || post?.status === undefined || isSuccess(post.status)) return;
        if (seen.direction !== 'to-client') return;
        report({ message: `A result was sent with HTTP ${post.status}, expected 200.`, seqs: [post.seq] });
      },
      http: (frame, { transport, exchanges }, report) => {
        const exchange = frame.kind === 'response' ? exchanges.get(frame.exchange) : undefined;
        if (frame.kind !== 'response' || transport !== 'http' || exchange?.request.method !== 'POST') return;
        if (!isSuccess(frame.status) || exchange.posted === undefined) return;
        const isRequest = exchange.posted === 'request';
        if (isRequest ? frame.status === 200 : frame.status === 202) return;
        report({
          message: `The ${exchange.posted} was answered with HTTP ${frame.status}, expected ${isRequest ? 200 : 202}.`,
          seqs: [exchange.seq],
        });
      },
    }),
  },
  {
    id: 'redirected',
    severity: 'info',
    title: 'Redirected request',
    topic: 'http',
    advice:
      'If the MCP server is there, use that URL: some clients don’t follow redirects, and 301, 302 and 303 turn a POST into a GET.',
    checks: () => ({
      http: (frame, { exchanges }, report) => {
        const exchange = frame.kind === 'response' ? exchanges.get(frame.exchange) : undefined;
        if (frame.kind !== 'response' || !exchange || exchange.request.about !== undefined) return;
        const location = headerOf(frame.headers, 'location');
        if (!REDIRECTS.has(frame.status) || location === undefined) return;
        const { url } = exchange.request;
        const to = URL.canParse(location, url) ? new URL(location, url).href : location;
        report({ message: `${url} redirects to ${quote(to)} (HTTP ${frame.status}).`, seqs: [exchange.seq] });
      },
    }),
  },
  {
    id: 'content-type',
    severity: 'error',
    title: 'Wrong Content-Type',
    topic: 'http',
    advice: 'Answer requests with application/json or text/event-stream.',
    checks: () => ({
      http: (frame, { transport, exchanges }, report) => {
        const exchange = frame.kind === 'response' ? exchanges.get(frame.exchange) : undefined;
        if (frame.kind !== 'response' || transport !== 'http' || frame.status !== 200) return;
        if (exchange?.request.method !== 'POST' || exchange.posted !== 'request') return;
        const type = headerOf(frame.headers, 'content-type');
        if (type !== undefined && ANSWER_TYPES.test(type)) return;
        report({
          message: type === undefined ? 'The response has no Content-Type.' : `The Content-Type is ${quote(type)}.`,
          seqs: [exchange.seq],
        });
      },
    }),
  },
  messageRule(
    {
      id: 'http-error-status',
      kinds: ['error'],
      severity: 'error',
      title: 'Wrong HTTP status for the error',
      topic: 'http',
      advice:
        'Send −32601 with HTTP 404. Send −32020, −32021, −32022, and −32602 for a request without its _meta, with HTTP 400.',
    },
    (seen, state, report) => {
      const post = postOf(seen, state);
      const error = own(seen.body, 'error');
      if (!post || !seen.modern || !state.modern || !isObject(error)) return;
      const code = own(error, 'code');
      const isFirst = seen.request?.answerSeq === undefined;
      const isMalformed =
        code === RPC_CODE.invalidParams && isFirst && seen.request && missingMeta(seen.request.params);
      const wanted = isMalformed ? 400 : STATUSES.get(code);
      if (wanted === undefined || post.status === undefined || post.status === wanted) return;
      report({
        message: `Error ${code} was sent with HTTP ${post.status}, expected ${wanted}.`,
        seqs: [post.seq],
      });
    },
  ),
  {
    id: 'stream-without-answer',
    severity: 'warning',
    title: 'HTTP response ended without the answer',
    topic: 'http',
    advice: 'Send the JSON-RPC response before ending the HTTP response.',
    checks: () => ({
      http: (frame, { exchanges }, report) => {
        if (frame.kind !== 'end' || frame.by !== 'server' || !Array.isArray(frame.unanswered)) return;
        const exchange = exchanges.get(frame.exchange);
        // Any other status is an answer in itself.
        if (exchange?.status !== 200) return;
        for (const id of frame.unanswered) {
          report({ message: `The request with the id ${quote(id)} was not answered.`, seqs: [exchange.seq] });
        }
      },
    }),
  },
  {
    id: 'event-id-repeated',
    severity: 'error',
    title: 'Repeated event id',
    topic: 'http',
    advice:
      'Give every event of a session its own id, across all its streams. Clients resume a stream by the id alone.',
    checks: () => {
      const seqs = new RecentMap<string, number>();
      return {
        kinds: ['request'],
        message: ({ method }) => {
          // A new session may count from the start.
          if (method === 'initialize') seqs.clear();
        },
        http: (frame, { transport, exchanges, modern, httpSeq }, report) => {
          if (frame.kind !== 'sse' || frame.id === undefined || frame.id === '') return;
          if (transport !== 'http' || modern || frame.id.length > EVENT_ID_CHARS) return;
          const exchange = exchanges.get(frame.exchange);
          const before = seqs.get(frame.id);
          seqs.set(frame.id, httpSeq);
          // A resumed stream repeats events.
          if (before === undefined || !exchange || headerOf(exchange.request.headers, 'last-event-id') !== undefined)
            return;
          report({ message: `The event id ${quote(frame.id)} was used before.`, seqs: [before] });
        },
      };
    },
  },
];
