import { isObject, own } from '@/lib/json/value';
import { RecentMap } from '@/lib/store/columns/collections';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { isSuccess, type ProtocolState, type SessionMark, sessionIn, type TrackedExchange } from '../protocol-state';
import { type ProtocolRule, quote, type ReportFinding } from '../rule';
import { isRefusal, postOf } from './http';

/** Returns the exchange of a successful response in a legacy session over HTTP. */
function answeredIn(frame: HttpFrame, { transport, modern, version, exchanges }: ProtocolState) {
  if (frame.kind !== 'response' || !isSuccess(frame.status)) return undefined;
  if (transport !== 'http' || modern || version === undefined) return undefined;
  const exchange = exchanges.get(frame.exchange);
  return exchange?.request.about === undefined || exchange.request.about === 'reconnect' ? exchange : undefined;
}

/** Returns true if two session ids are known to differ. */
function differ(one: SessionMark, other: SessionMark): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one !== other && one !== 0 && other !== 0;
  return typeof one === 'object' && typeof other === 'object' && one.text !== other.text;
}

/** Matches a server's words for a session id that it missed. */
const WANTS_SESSION = /\bsession[ _-]?id\b/i;
const ASSIGN_FIRST = 'Assign the id in the response to initialize, or accept requests without one.';

/** Returns true for a message that was refused for its missing session id, although the server never assigned one. */
function wantsUnassigned(post: TrackedExchange | undefined, text: unknown, { transport, session }: ProtocolState) {
  if (transport !== 'http' || session !== 'none' || post?.status !== 400 || post.session !== undefined) return false;
  return !post.opens && typeof text === 'string' && WANTS_SESSION.test(text);
}

/** Rules about sessions over Streamable HTTP, which versions up to 2025-11-25 have. */
export const SESSION_RULES: readonly ProtocolRule[] = [
  {
    id: 'session-id',
    severity: 'error',
    title: 'Invalid Mcp-Session-Id',
    topic: 'http',
    advice: 'Use only visible ASCII characters, 0x21 to 0x7E.',
    checks: () => ({
      http: (frame, _state, report) => {
        const id = frame.kind === 'response' ? sessionIn(frame) : undefined;
        if (id === 0) report({ message: 'The session id has other characters.' });
        else if (typeof id === 'object' && !/^[\x21-\x7e]+$/.test(id.text))
          report({ message: `The session id is ${quote(id.text)}.` });
      },
    }),
  },
  {
    id: 'session-changed',
    severity: 'error',
    title: 'Response with another session id',
    topic: 'http',
    advice: 'Assign a session id only in the response to initialize. Leave it out of other responses, or repeat it.',
    checks: () => ({
      http: (frame, state, report) => {
        const exchange = answeredIn(frame, state);
        const answered = frame.kind === 'response' ? sessionIn(frame) : undefined;
        if (!exchange || exchange.opens || exchange.session === undefined || answered === undefined) return;
        if (!differ(exchange.session, answered)) return;
        report({ message: 'The request has another session id than its response.', seqs: [exchange.seq] });
      },
    }),
  },
  {
    id: 'session-misplaced',
    severity: 'error',
    title: 'Session id in the wrong place',
    topic: 'http',
    advice: 'Assign the session id in the response to initialize. Send it with every request but initialize.',
    checks: () => ({
      kinds: ['request'],
      message: (seen, state, report) => {
        const post = postOf(seen, state);
        if (seen.method !== 'initialize' || seen.direction !== 'to-server' || post?.session === undefined) return;
        report({ message: 'initialize was sent with a session id.', seqs: [post.seq] });
      },
      http: (frame, state, report) => {
        const exchange = answeredIn(frame, state);
        if (!exchange || exchange.opens || exchange.session !== undefined || state.session !== 'none') return;
        if (frame.kind !== 'response' || sessionIn(frame) === undefined) return;
        report({
          message: 'This response has a session id, but the response to initialize had none.',
          seqs: [exchange.seq],
        });
      },
    }),
  },
  {
    id: 'session-missing',
    severity: 'error',
    title: 'Missing session id',
    topic: 'http',
    advice: 'Send the Mcp-Session-Id of the response to initialize with every later request.',
    checks: () => ({
      message: (seen, state, report) => {
        const post = postOf(seen, state);
        const { direction, kind, method, body } = seen;
        if (direction === 'to-client') {
          const error = kind === 'error' ? own(body, 'error') : undefined;
          if (!isObject(error) || !wantsUnassigned(post, own(error, 'message'), state)) return;
          report({ message: NEVER_ASSIGNED, advice: ASSIGN_FIRST, seqs: [post!.seq] });
        } else if (isExpected(state) && post && post.session === undefined && !OPENING.has(method)) {
          report({ message: `The ${kind} was sent without the session id.`, seqs: [post.seq] });
        }
      },
      http: (frame, state, report) => {
        const exchange = state.exchanges.get(frame.exchange);
        if (frame.kind === 'body' && exchange?.request.method === 'POST') {
          if (wantsUnassigned(exchange, frame.text, state))
            report({ message: NEVER_ASSIGNED, advice: ASSIGN_FIRST, seqs: [exchange.seq] });
        }
        const isGet = frame.kind === 'request' && frame.method === 'GET' && frame.about === undefined;
        if (isGet && isExpected(state) && exchange?.session === undefined)
          report({ message: 'The GET request was sent without the session id.' });
      },
    }),
  },
  {
    id: 'session-missing-status',
    severity: 'warning',
    title: 'Wrong status for a missing session id',
    topic: 'http-session',
    advice: 'Answer a request without the session id with HTTP 400.',
    checks: () => ({
      http: (frame, state, report) => {
        const exchange = frame.kind === 'response' ? state.exchanges.get(frame.exchange) : undefined;
        if (frame.kind !== 'response' || !isExpected(state) || exchange?.session !== undefined) return;
        if (exchange?.posted === undefined || exchange.opens) return;
        if (!isRefusal(frame.status) || frame.status === 400) return;
        report({
          message: `A message without the session id was answered with HTTP ${frame.status}, expected 400.`,
          seqs: [exchange.seq],
        });
      },
    }),
  },
  {
    id: 'session-end-status',
    severity: 'error',
    title: 'Wrong status for a session that has ended',
    topic: 'http-session',
    advice: 'Answer a request with the id of a session that has ended with HTTP 404. Clients then open a new session.',
    checks: () => {
      const ended = new RecentMap<SessionMark, true>();
      const isOpen = ({ session }: TrackedExchange, state: ProtocolState) =>
        typeof session === 'number' && session !== 0 && session === state.session;
      const reportLost = (
        exchange: TrackedExchange | undefined,
        text: unknown,
        state: ProtocolState,
        report: ReportFinding,
      ) => {
        if (exchange?.status !== 400 || state.transport !== 'http' || !isOpen(exchange, state)) return;
        if (typeof text === 'string' && LOST_SESSION.test(text))
          report({ message: 'An ended session was answered with HTTP 400, expected 404.', seqs: [exchange.seq] });
      };
      return {
        kinds: ['error'],
        message: (seen, state, report) => {
          const error = own(seen.body, 'error');
          if (seen.direction === 'to-client' && isObject(error))
            reportLost(postOf(seen, state), own(error, 'message'), state, report);
        },
        http: (frame, state, report) => {
          const exchange = state.exchanges.get(frame.exchange);
          if (frame.kind === 'body' && exchange?.request.method === 'POST')
            reportLost(exchange, frame.text, state, report);
          if (frame.kind !== 'response' || exchange?.session === undefined || state.modern) return;
          const isDelete = exchange.request.method === 'DELETE';
          if (!isDelete && ended.has(exchange.session) && isSuccess(frame.status)) {
            report({
              message: `A session that DELETE has ended was answered with HTTP ${frame.status}, expected 404.`,
              seqs: [exchange.seq],
            });
          }
          if (isDelete && isSuccess(frame.status) && typeof exchange.session === 'number')
            ended.set(exchange.session, true);
        },
      };
    },
  },
  {
    id: 'session-in-modern',
    severity: 'info',
    title: 'Session id in a version without sessions',
    topic: 'http',
    advice: 'Leave Mcp-Session-Id out. 2026-07-28 removed sessions.',
    checks: () => ({
      http: (frame, state, report) => {
        if (frame.kind !== 'response' || !state.modern || sessionIn(frame) === undefined) return;
        report({ message: 'The response has an Mcp-Session-Id header.' });
      },
    }),
  },
];

/** Matches a server's words for a session id that it does not know. */
const LOST_SESSION =
  /\bsession\b.*\b(?:not found|expired|unknown|invalid|terminated|closed|does not exist|no longer)\b|\b(?:unknown|invalid|expired|no valid|no such)\b.*\bsession\b/is;
const NEVER_ASSIGNED = 'The server wants a session id, but the response to initialize had none.';
/** Methods that open a session or find out about the server. */
const OPENING: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** True if the server has assigned a session id, which every request must have. */
function isExpected({ transport, modern, session }: ProtocolState): boolean {
  return transport === 'http' && !modern && session !== undefined && session !== 'none';
}
