import { isObject, own } from '@/lib/json/value';
import { headerOf } from '@/lib/transports/http-link';
import { META_KEY, RPC_CODE } from '@/lib/wire/protocol-names';
import type { ProtocolState, SeenMessage } from '../protocol-state';
import { messageRule, quote, type Rule } from '../rule';

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

/** Yields the headers that repeat the message, with their expected values. */
function* repeated({ method, params }: SeenMessage): Generator<readonly [header: string, wanted: unknown]> {
  const meta = own(params, '_meta');
  yield ['Mcp-Method', method];
  if (isObject(meta)) yield ['MCP-Protocol-Version', own(meta, META_KEY.protocolVersion)];
  const name = NAMES.get(method);
  if (name !== undefined) yield ['Mcp-Name', own(params, name)];
}

function postOf({ exchange }: SeenMessage, state: ProtocolState) {
  const found = exchange === undefined ? undefined : state.exchanges.get(exchange);
  return found?.request.method === 'POST' ? found : undefined;
}

/** Rules about HTTP. */
export const HTTP_RULES: readonly Rule[] = [
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
      for (const [header, wanted] of repeated(seen)) {
        const value = headerOf(post.request.headers, header.toLowerCase());
        // Values that are not valid in a header are encoded.
        if (typeof wanted !== 'string' || value === wanted || value?.startsWith('=?base64?')) continue;
        const found = value === undefined ? 'missing' : quote(value);
        report({ message: `${header} is ${found}, expected ${quote(wanted)}.`, seqs: [post.seq] });
      }
    },
  ),
  {
    id: 'http-status',
    severity: 'error',
    title: 'Wrong HTTP status for the message',
    topic: 'http',
    advice: 'Answer a request with HTTP 200 and a body. Answer other messages with HTTP 202 and no body.',
    checks: () => ({
      http: (frame, { transport, exchanges }, report) => {
        const exchange = frame.kind === 'response' ? exchanges.get(frame.exchange) : undefined;
        if (frame.kind !== 'response' || transport !== 'http' || exchange?.request.method !== 'POST') return;
        if (frame.status < 200 || frame.status > 299 || exchange.posted === undefined) return;
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
      advice: 'Send −32601 with HTTP 404. Send −32020, −32021 and −32022 with HTTP 400.',
    },
    (seen, state, report) => {
      const post = postOf(seen, state);
      const error = own(seen.body, 'error');
      if (!post || !seen.modern || !state.modern || !isObject(error)) return;
      const wanted = STATUSES.get(own(error, 'code'));
      if (wanted === undefined || post.status === undefined || post.status === wanted) return;
      report({
        message: `Error ${own(error, 'code')} was sent with HTTP ${post.status}, expected ${wanted}.`,
        seqs: [post.seq],
      });
    },
  ),
  {
    id: 'session-id',
    severity: 'error',
    title: 'Invalid Mcp-Session-Id',
    topic: 'http',
    advice: 'Use only visible ASCII characters, 0x21 to 0x7E.',
    checks: () => ({
      http: (frame, _state, report) => {
        const id = frame.kind === 'response' ? headerOf(frame.headers, 'mcp-session-id') : undefined;
        // A masked id cannot be checked.
        if (id !== undefined && !id.includes('•') && !/^[\x21-\x7e]+$/.test(id))
          report({ message: `The session id is ${quote(id)}.` });
      },
    }),
  },
  {
    id: 'session-in-modern',
    severity: 'info',
    title: 'Session id in a version without sessions',
    topic: 'http',
    advice: 'Leave Mcp-Session-Id out. 2026-07-28 removed sessions.',
    checks: () => ({
      http: (frame, state, report) => {
        if (frame.kind !== 'response' || !state.modern) return;
        if (headerOf(frame.headers, 'mcp-session-id') !== undefined)
          report({ message: 'The response has an Mcp-Session-Id header.' });
      },
    }),
  },
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
];
