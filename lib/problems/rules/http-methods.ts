import { RecentMap } from '@/lib/store/columns/collections';
import { headerOf } from '@/lib/transports/http-link';
import { isHostRequest } from '@/lib/wire/host-requests';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { isSuccess, type ProtocolState, type SeenMessage, type TrackedExchange } from '../protocol-state';
import { messageRule, type ProtocolRule, quote, type ReportFinding } from '../rule';
import { postOf, UNRELATED } from './http';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const STREAM_TYPE = /^text\/event-stream\s*(?:;|$)/i;
/** The first version whose client names the version in a header. */
const VERSION_HEADER_SINCE = '2025-06-18';
/** Methods that a client sends before it knows the version. */
const OPENING: ReadonlySet<string> = new Set(['initialize', 'server/discover']);
/** Versions that a header may name. Early servers know the last one, which was never released. */
const NAMEABLE: ReadonlySet<string> = new Set([...PROTOCOL_VERSIONS, '2024-10-07']);

type ResponseFrame = Extract<HttpFrame, { kind: 'response' }>;

/** Returns the response to a request with this method, and its exchange, once a version is known. */
function answerTo(method: string, frame: HttpFrame, { transport, version, exchanges }: ProtocolState) {
  if (frame.kind !== 'response' || transport !== 'http' || version === undefined) return undefined;
  const exchange = exchanges.get(frame.exchange);
  // The status of a redirect says nothing, and a page does not see it.
  if (exchange?.request.method !== method || exchange.request.about !== undefined) return undefined;
  return isRedirect(frame.status) || UNRELATED.has(frame.status) ? undefined : { frame, exchange };
}

function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status <= 399);
}

/** Describes a status, and the type of content if it is a success. */
function statusWords({ status, headers }: ResponseFrame): string {
  const type = headerOf(headers, 'content-type');
  return isSuccess(status)
    ? `HTTP ${status} and ${type === undefined ? 'no Content-Type' : quote(type)}`
    : `HTTP ${status}`;
}

/** Returns the exchange of a message that the client posted over Streamable HTTP. */
function postedOver(seen: SeenMessage, state: ProtocolState): TrackedExchange | undefined {
  return state.transport === 'http' && seen.direction === 'to-server' ? postOf(seen, state) : undefined;
}

/** Returns the exchange of a message whose headers must name the negotiated version. */
function versionedPost(seen: SeenMessage, state: ProtocolState): TrackedExchange | undefined {
  const { version, modern, session, isTapped } = state;
  if (modern || version === undefined || version < VERSION_HEADER_SINCE || OPENING.has(seen.method)) return undefined;
  if (isHostRequest(seen.id)) return undefined;
  // Without a session, nothing tells apart the clients of a tapped server, and each negotiates a version of its own.
  return isTapped && (session === undefined || session === 'none') ? undefined : postedOver(seen, state);
}

/** Reports a header that does not list a type of content. */
function checkAccept({ request, seq }: TrackedExchange, types: readonly string[], report: ReportFinding): void {
  const accept = headerOf(request.headers, 'accept');
  const listed =
    accept
      ?.toLowerCase()
      .split(',')
      .map((type) => type.split(';')[0]!.trim()) ?? [];
  if (types.every((type) => listed.includes(type))) return;
  report({
    message: `Accept is ${accept === undefined ? 'missing' : quote(accept)}, expected ${types.join(' and ')}.`,
    seqs: [seq],
  });
}

/** Rules about GET, DELETE, bodies and headers of Streamable HTTP. */
export const HTTP_METHOD_RULES: readonly ProtocolRule[] = [
  {
    id: 'accepted-body',
    severity: 'error',
    title: 'HTTP 202 with a body',
    topic: 'http-send',
    advice: 'Answer a notification or a response with HTTP 202 and no body.',
    checks: () => ({
      http: (frame, { transport, exchanges }, report) => {
        const exchange = frame.kind === 'body' ? exchanges.get(frame.exchange) : undefined;
        if (frame.kind !== 'body' || frame.bytes === 0 || frame.cut) return;
        if (transport !== 'http' || exchange?.status !== 202) return;
        if (exchange.posted === undefined || exchange.posted === 'request') return;
        report({
          message: `HTTP 202 for the ${exchange.posted} has a body${frame.text === undefined ? '' : `: ${quote(frame.text)}`}.`,
          seqs: [exchange.seq],
        });
      },
    }),
  },
  {
    id: 'body-without-message',
    severity: 'error',
    title: 'Body that is not the response',
    topic: 'http-send',
    advice: 'Answer a request with its JSON-RPC response, as application/json or in an event stream.',
    checks: () => ({
      http: (frame, { transport, exchanges }, report) => {
        const exchange = frame.kind === 'body' ? exchanges.get(frame.exchange) : undefined;
        if (frame.kind !== 'body' || frame.cut || transport !== 'http' || exchange?.status !== 200) return;
        if (exchange.posted !== 'request' || !JSON_TYPE.test(exchange.contentType ?? '')) return;
        // The body of a message is a frame of its own.
        if (frame.bytes > 0 && frame.text === undefined) return;
        report({
          message: frame.bytes === 0 ? 'The body is empty.' : `The body is ${quote(frame.text)}.`,
          seqs: [exchange.seq],
        });
      },
    }),
  },
  {
    id: 'get-status',
    severity: 'error',
    title: 'Wrong answer to GET',
    topic: 'http-get',
    advice: 'Answer GET with an event stream (text/event-stream), or with HTTP 405 if the server has none.',
    checks: () => {
      // Sessions that HTTP 404 for GET has ended, and its frame.
      const ended = new RecentMap<string, number>();
      return {
        http: (frame, state, report) => {
          if (state.modern || state.version === undefined || state.version < '2025-03-26') return;
          const later = answerTo('POST', frame, state);
          const session = later && isSuccess(later.frame.status) ? JSON.stringify(later.exchange.session) : undefined;
          const before = session === undefined ? undefined : ended.get(session);
          if (before !== undefined && before < later!.exchange.seq) {
            ended.delete(session!);
            report({
              message:
                'GET was answered with HTTP 404, which ends the session, but the session goes on. Expected HTTP 405.',
              seqs: [before],
            });
          }
          const answer = answerTo('GET', frame, state);
          if (!answer) return;
          const { status, headers } = answer.frame;
          if (isSuccess(status) && STREAM_TYPE.test(headerOf(headers, 'content-type') ?? '')) return;
          if (status === 405) return;
          if (status === 404 && answer.exchange.session !== undefined) {
            ended.set(JSON.stringify(answer.exchange.session), state.httpSeq);
            return;
          }
          report({
            message: `GET was answered with ${statusWords(answer.frame)}, expected text/event-stream or HTTP 405.`,
            seqs: [answer.exchange.seq],
          });
        },
      };
    },
  },
  {
    id: 'delete-status',
    severity: 'warning',
    title: 'Wrong status for the end of a session',
    topic: 'http-session',
    advice: 'End the session and answer DELETE with HTTP 200 or 204, or answer with HTTP 405.',
    checks: () => ({
      http: (frame, state, report) => {
        const answer = state.modern ? undefined : answerTo('DELETE', frame, state);
        if (!answer || isSuccess(answer.frame.status) || [404, 405].includes(answer.frame.status)) return;
        report({
          message: `DELETE was answered with HTTP ${answer.frame.status}, expected a success or HTTP 405.`,
          seqs: [answer.exchange.seq],
        });
      },
    }),
  },
  {
    id: 'removed-method-status',
    severity: 'warning',
    title: 'Wrong status for GET or DELETE',
    topic: 'http-get',
    advice: 'Answer GET and DELETE with HTTP 405. 2026-07-28 has only POST.',
    checks: () => ({
      http: (frame, state, report) => {
        const answer = state.modern ? (answerTo('GET', frame, state) ?? answerTo('DELETE', frame, state)) : undefined;
        if (!answer || answer.frame.status === 405) return;
        report({
          message: `${answer.exchange.request.method} was answered with HTTP ${answer.frame.status}, expected 405.`,
          seqs: [answer.exchange.seq],
        });
      },
    }),
  },
  messageRule(
    {
      id: 'response-on-get',
      kinds: ['response', 'error'],
      severity: 'error',
      title: 'Response on the stream of a GET request',
      topic: 'http-get',
      advice: 'Send a response on the stream of its request. GET carries it only if the client resumes that stream.',
    },
    ({ direction, exchange, request }, { transport, modern, exchanges }, report) => {
      if (direction !== 'to-client' || transport !== 'http' || modern || exchange === undefined) return;
      const carrier = exchanges.get(exchange);
      if (carrier?.request.method !== 'GET') return;
      if (headerOf(carrier.request.headers, 'last-event-id') !== undefined) return;
      report({
        message: 'The response came on a stream that no request has opened.',
        seqs: [carrier.seq, ...(request ? [request.seq] : [])],
      });
    },
  ),
  {
    id: 'accept-header',
    severity: 'error',
    title: 'Accept header without the needed types',
    topic: 'http-send',
    advice: 'Send Accept: application/json, text/event-stream with POST, and Accept: text/event-stream with GET.',
    checks: () => ({
      message: (seen, state, report) => {
        const post = postedOver(seen, state);
        if (post) checkAccept(post, ['application/json', 'text/event-stream'], report);
      },
      http: (frame, state, report) => {
        if (frame.kind !== 'request' || frame.method !== 'GET' || frame.about !== undefined) return;
        if (state.transport !== 'http' || state.version === undefined || state.modern) return;
        checkAccept(state.exchanges.get(frame.exchange)!, ['text/event-stream'], report);
      },
    }),
  },
  messageRule(
    {
      id: 'version-header-missing',
      severity: 'error',
      title: 'Missing MCP-Protocol-Version header',
      topic: 'http-version',
      advice: 'Send MCP-Protocol-Version with the negotiated version in every request after initialize.',
    },
    (seen, state, report) => {
      const post = versionedPost(seen, state);
      if (!post || headerOf(post.request.headers, 'mcp-protocol-version') !== undefined) return;
      report({ message: `The ${seen.kind} was sent without MCP-Protocol-Version.`, seqs: [post.seq] });
    },
  ),
  messageRule(
    {
      id: 'version-header-differs',
      severity: 'warning',
      title: 'MCP-Protocol-Version of another version',
      topic: 'http-version',
      advice: 'Send the version that initialize has negotiated.',
    },
    (seen, state, report) => {
      const post = versionedPost(seen, state);
      const header = post && headerOf(post.request.headers, 'mcp-protocol-version');
      if (header === undefined || header === state.version) return;
      report({
        message: `MCP-Protocol-Version is ${quote(header)}, negotiated is ${state.version}.`,
        seqs: [post!.seq],
      });
    },
  ),
  {
    id: 'version-header-accepted',
    severity: 'error',
    title: 'Unknown version in a header that was accepted',
    topic: 'http-version',
    advice: 'Answer a request whose MCP-Protocol-Version you don’t support with HTTP 400.',
    checks: () => ({
      http: (frame, state, report) => {
        const answer = answerTo('POST', frame, state);
        if (!answer || !isSuccess(answer.frame.status) || state.version! < VERSION_HEADER_SINCE) return;
        const header = headerOf(answer.exchange.request.headers, 'mcp-protocol-version');
        if (header === undefined || NAMEABLE.has(header)) return;
        report({
          message: `A request with MCP-Protocol-Version ${quote(header)} was answered with HTTP ${answer.frame.status}.`,
          seqs: [answer.exchange.seq],
        });
      },
    }),
  },
  {
    id: 'challenge-missing',
    severity: 'warning',
    title: 'HTTP 401 without WWW-Authenticate',
    topic: 'authorization',
    advice: 'Send WWW-Authenticate with HTTP 401, so that clients learn how to sign in.',
    checks: () => ({
      http: (frame, { exchanges }, report) => {
        const exchange = exchanges.get(frame.exchange);
        // A page sees only some headers.
        if (frame.kind !== 'response' || frame.status !== 401 || frame.partial) return;
        if (!exchange || exchange.request.about !== undefined) return;
        if (headerOf(frame.headers, 'www-authenticate') !== undefined) return;
        report({ message: 'The response has no WWW-Authenticate.', seqs: [exchange.seq] });
      },
    }),
  },
  {
    id: 'stream-buffered',
    severity: 'info',
    title: 'Event stream without X-Accel-Buffering',
    topic: 'http-receive',
    advice: 'Send X-Accel-Buffering: no with event streams, so that reverse proxies pass events on at once.',
    checks: () => ({
      http: (frame, state, report) => {
        const answer = state.modern ? answerTo('POST', frame, state) : undefined;
        // A page sees only some headers.
        if (answer?.frame.status !== 200 || answer.frame.partial) return;
        if (!STREAM_TYPE.test(headerOf(answer.frame.headers, 'content-type') ?? '')) return;
        if (headerOf(answer.frame.headers, 'x-accel-buffering')?.toLowerCase() === 'no') return;
        report({ message: 'The event stream has no X-Accel-Buffering: no.', seqs: [answer.exchange.seq] });
      },
    }),
  },
];
