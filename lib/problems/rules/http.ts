import { isObject, own } from '@/lib/json/value';
import { headerOf, META_VERSION, type ProtocolState, type SeenMessage } from '../protocol-state';
import { messageRule, quote, type Rule } from '../rule';

const ANSWER_TYPES = /^(?:application\/json|text\/event-stream)\s*(?:;|$)/i;
/** Methods whose Mcp-Name header repeats a member of the params. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);
/** The HTTP status that modern servers send with an error's code. */
const STATUSES: ReadonlyMap<unknown, number> = new Map([
  [-32601, 404],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

/** Headers that say what the message says, with what it says. */
function* repeated({ method, params }: SeenMessage): Generator<readonly [header: string, wanted: unknown]> {
  const meta = own(params, '_meta');
  yield ['Mcp-Method', method];
  if (isObject(meta)) yield ['MCP-Protocol-Version', own(meta, META_VERSION)];
  const name = NAMES.get(method);
  if (name !== undefined) yield ['Mcp-Name', own(params, name)];
}

function postOf({ exchange }: SeenMessage, session: ProtocolState) {
  const found = exchange === undefined ? undefined : session.exchanges.get(exchange);
  return found?.request.method === 'POST' ? found : undefined;
}

/** What HTTP has to say about a message. */
export const HTTP_RULES: readonly Rule[] = [
  messageRule(
    {
      id: 'header-mismatch',
      kinds: ['request'],
      severity: 'error',
      title: 'A header that contradicts the message',
      topic: 'http',
      advice: 'Send Mcp-Method, Mcp-Name and MCP-Protocol-Version as the message has them.',
    },
    (seen, session, report) => {
      const post = postOf(seen, session);
      if (!post || !seen.modern || seen.direction !== 'to-server' || seen.kind !== 'request') return;
      for (const [header, wanted] of repeated(seen)) {
        const value = headerOf(post.request.headers, header.toLowerCase());
        // A value that no header can carry as it is travels encoded.
        if (typeof wanted !== 'string' || value === wanted || value?.startsWith('=?base64?')) continue;
        const said = value === undefined ? 'is missing' : `says ${quote(value)}`;
        report({ message: `${header} ${said}, and the message ${quote(wanted)}.`, seqs: [post.seq] });
      }
    },
  ),
  {
    id: 'http-status',
    severity: 'error',
    title: 'A status that does not fit what was posted',
    topic: 'http',
    advice: 'Answer a request with 200 and its answer, and a notification or an answer with 202 and nothing.',
    checks: () => ({
      http: (frame, { transport, exchanges }, report) => {
        const exchange = frame.kind === 'response' ? exchanges.get(frame.exchange) : undefined;
        if (frame.kind !== 'response' || transport !== 'http' || exchange?.request.method !== 'POST') return;
        if (frame.status < 200 || frame.status > 299 || exchange.posted === undefined) return;
        const isRequest = exchange.posted === 'request';
        if (isRequest ? frame.status === 200 : frame.status === 202) return;
        report({
          message: `A ${exchange.posted} was answered with ${frame.status} instead of ${isRequest ? 200 : 202}.`,
          seqs: [exchange.seq],
        });
      },
    }),
  },
  {
    id: 'content-type',
    severity: 'error',
    title: 'A body that is neither JSON nor an event stream',
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
          message: type === undefined ? 'The answer has no Content-Type.' : `The answer is ${quote(type)}.`,
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
      title: 'An error with another status than it should have',
      topic: 'http',
      advice: 'Send −32601 with 404, and −32020, −32021 and −32022 with 400.',
    },
    (seen, session, report) => {
      const post = postOf(seen, session);
      const error = own(seen.body, 'error');
      if (!post || seen.kind !== 'error' || !seen.modern || !session.modern || !isObject(error)) return;
      const wanted = STATUSES.get(own(error, 'code'));
      if (wanted === undefined || post.status === undefined || post.status === wanted) return;
      report({ message: `${own(error, 'code')} came with ${post.status} instead of ${wanted}.`, seqs: [post.seq] });
    },
  ),
  {
    id: 'session-id',
    severity: 'error',
    title: 'A session id that no header may carry',
    topic: 'http',
    advice: 'Use visible ASCII characters only, from 0x21 to 0x7E.',
    checks: () => ({
      http: (frame, _session, report) => {
        const id = frame.kind === 'response' ? headerOf(frame.headers, 'mcp-session-id') : undefined;
        // Masked ones are not known.
        if (id !== undefined && !id.includes('•') && !/^[\x21-\x7e]+$/.test(id))
          report({ message: `It is ${quote(id)}.` });
      },
    }),
  },
  {
    id: 'session-in-modern',
    severity: 'info',
    title: 'A session where there are none',
    topic: 'http',
    advice: 'Leave Mcp-Session-Id out: since 2026-07-28 there are no sessions.',
    checks: () => ({
      http: (frame, session, report) => {
        if (frame.kind !== 'response' || !session.modern) return;
        if (headerOf(frame.headers, 'mcp-session-id') !== undefined)
          report({ message: 'The answer has an Mcp-Session-Id.' });
      },
    }),
  },
  {
    id: 'stream-without-answer',
    severity: 'warning',
    title: 'A response that ended before the answer',
    topic: 'http',
    advice: 'Send the answer before the response ends.',
    checks: () => ({
      http: (frame, { exchanges }, report) => {
        if (frame.kind !== 'end' || frame.by !== 'server' || !Array.isArray(frame.unanswered)) return;
        const exchange = exchanges.get(frame.exchange);
        // A refusal by its status is an answer of HTTP's.
        if (exchange?.status !== 200) return;
        for (const id of frame.unanswered) {
          report({ message: `The request ${quote(id)} was not answered.`, seqs: [exchange.seq] });
        }
      },
    }),
  },
];
