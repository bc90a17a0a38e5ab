import { jsonIn } from '@/lib/json/parse';
import { isObject, own } from '@/lib/json/value';
import type { Failure } from '@/lib/wire/lifecycle';
import type { RequestId, RpcError } from '@/lib/wire/message';
import { type Challenge, isScopeRefusal, readChallenge } from './challenge';
import { type Headers, type HttpResponse, headerOf } from './http-link';
import { ConnectionError, type HttpFailure } from './transport';

const decoder = new TextDecoder();

/** The failure for a status other than 2xx. */
export function statusFailure(status: number, error?: RpcError): HttpFailure {
  const text = STATUS_TEXTS.get(status) ?? STATUS_TEXTS.get(Math.floor(status / 100) * 100) ?? OTHER_STATUS;
  const { code, what, advice } = text;
  const said = error === undefined ? what : `${JSON.stringify(error.message)} (${error.code})`;
  return { code, message: `The server answered HTTP ${status}: ${said}.`, advice, status, ...(error && { error }) };
}

/** The failure for a response other than 2xx. `sent`: the headers of the request. */
export function refusedAnswer({ status, headers }: HttpResponse, sent: Headers, error?: RpcError): HttpFailure {
  const failure = statusFailure(status, error);
  if (status >= 300 && status < 400 && headerOf(headers, 'location') === undefined) {
    return { ...failure, message: `The server answered HTTP ${status} without a Location header.`, advice: SEE_LOGS };
  }
  const challenge = readChallenge(headers);
  const { scheme, description, error: code = scheme } = challenge;
  if (scheme === undefined || (status !== 401 && !isScopeRefusal(challenge))) return failure;
  const said = description === undefined ? code : `${code}, ${JSON.stringify(description.slice(0, 300))}`;
  return {
    ...failure,
    message: `${failure.message.replace(/\.$/, '')} (${said}).`,
    advice: adviceFor(challenge, sent),
  };
}

function adviceFor(challenge: Challenge, sent: Headers): string {
  if (headerOf(sent, 'authorization') === undefined) return STATUS_TEXTS.get(401)!.advice;
  if (!isScopeRefusal(challenge)) return 'Check your Authorization header.';
  const { scope } = challenge;
  return `Use a token with ${scope === undefined ? 'more scopes' : `the scope ${JSON.stringify(scope.slice(0, 200))}`}.`;
}

/** Failure codes of the network, as opposed to refusals by the server. */
const NETWORK =
  /^(?:connection-(?:refused|reset|timeout|broken)|host-unreachable|dns-failed|network-error|unreachable|local-network-denied|proxy-(?:unreachable|cannot-connect)|tls-.+)$/;

/** Returns true for a failure to connect, and for a connection that broke. */
export function isNetworkFailure({ code }: Failure): boolean {
  return NETWORK.test(code);
}

/** Returns a failure for 502 and 503, which gateways send while their server restarts. undefined for other statuses. */
export function gatewayFailure(status: number): Failure | undefined {
  return status === 502 || status === 503 ? statusFailure(status) : undefined;
}

/** Statuses with which servers answer a GET if they offer no stream of their own messages. */
const NO_STREAM: ReadonlySet<number> = new Set([404, 405, 406, 501]);

/** Returns the reason why the server offers no stream; undefined if the status means a failure instead. */
export function noStream(status: number): HttpFailure | undefined {
  if (!NO_STREAM.has(status)) return undefined;
  return {
    code: 'no-stream',
    message: `The server offers no stream for its own messages (HTTP ${status}). Streams are optional.`,
    advice: 'It can still send messages while it answers a request.',
    status,
  };
}

/** Returns the reason why the server does not reopen its stream. Only a POST shows whether the session is gone. */
export function streamRefused(status: number): HttpFailure | undefined {
  if (status < 400 || status >= 500) return undefined;
  return {
    code: 'stream-refused',
    message: `The server does not reopen its stream (HTTP ${status}). A POST will show whether the session still exists.`,
    advice: 'It can still send messages while it answers a request.',
    status,
  };
}

/** Words by which servers refuse a session that they don't know. */
const UNKNOWN_SESSION = /session|not initiali[sz]ed/i;

/**
 * True if a refusal says that the server does not know the session. `text`: a body that is not a message. A page of
 * HTML may say anything.
 */
export function refusesSession(text: string, error?: RpcError): boolean {
  return UNKNOWN_SESSION.test(error?.message ?? (/^\s*</.test(text) ? '' : text));
}

/** Bytes of an error about the session, which is a short text. */
const DENIAL_BYTES = 1000;

/** The error by which servers answer with HTTP 200 that they don't know the session. The SDKs send it with 404. */
const DENIAL = /\bsession (?:id )?(?:not found|expired|terminated|has)|(?:invalid|unknown|expired|no valid) session/i;

/** Returns the error in a body that says that the server does not know the session, as the SDKs do. */
export function deniesSession(body: Uint8Array): RpcError | undefined {
  if (body.length > DENIAL_BYTES) return undefined;
  const error = readRefusal(body);
  return error?.code === -32001 && DENIAL.test(error.message) ? error : undefined;
}

/** Characters of a refusal that are quoted. */
const QUOTED_CHARS = 300;

/**
 * The failure of a request that the server did not run because it had forgotten the session. `text`: the body if it is
 * not a message, quoted if it mentions the session.
 */
export function sessionForgotten(status: number, error?: RpcError, text = ''): HttpFailure {
  const quoted = error === undefined && refusesSession(text);
  const message = quoted
    ? `The server answered HTTP ${status}: ${JSON.stringify(text.trim().slice(0, QUOTED_CHARS))}.`
    : statusFailure(status, error).message;
  return {
    code: 'session-lost',
    message: `The session was lost, so the server did not run this request. ${message}`,
    advice: 'Send it again in the new session.',
    status,
    ...(error && { error }),
  };
}

/** The failure for a 2xx response without a message. `type`: its media type. */
export function notMcp(status: number, type: string): HttpFailure {
  const what = type === '' ? 'without a media type' : `with ${type}, which is not an MCP message`;
  return {
    code: 'not-mcp',
    message: `The server answered HTTP ${status} ${what}.`,
    advice: 'Check that the URL is that of an MCP server: most are at /mcp, older ones at /sse.',
    status,
  };
}

/** The failure of a request whose exchange ended without a response to it. `type`: the media type of the response. */
export function noAnswer(status: number, type: string, method = 'the request'): HttpFailure {
  const what =
    type === 'text/event-stream'
      ? `The event stream that answers ${method} (HTTP ${status}) ended without a response.`
      : `The HTTP response to ${method} (HTTP ${status}) contains no answer to it.`;
  // Other requests can be sent again without harm. A batch has no method, and may contain a call.
  const mayHaveRun = method === 'tools/call' || method === 'the request';
  return {
    code: 'no-answer',
    message: what,
    advice: mayHaveRun ? 'The server may have run it. Send it again only if that does no harm.' : SEE_LOG,
    status,
  };
}

/** The error for sending before the connection is open or after it was closed. */
export function notConnected(): ConnectionError {
  return new ConnectionError({
    code: 'not-connected',
    message: 'The connection is not open, so nothing can be sent.',
    advice: 'Restart it.',
  });
}

/** Returns the JSON-RPC error in the body of an HTTP refusal. Its id is ignored, because servers write null. */
export function readRefusal(body: Uint8Array): RpcError | undefined {
  const value = jsonIn(decoder.decode(body));
  const error = isObject(value) ? own(value, 'error') : undefined;
  if (!isObject(error)) return undefined;
  const code = own(error, 'code');
  const message = own(error, 'message');
  if (typeof code !== 'number') return undefined;
  return {
    code,
    message: typeof message === 'string' ? message : '',
    ...(Object.hasOwn(error, 'data') ? { data: error.data } : {}),
  };
}

/** True if a body is a message with one of these ids. */
export function answersOneOf(ids: readonly RequestId[], body: Uint8Array): boolean {
  const value = jsonIn(decoder.decode(body));
  const id = isObject(value) ? own(value, 'id') : undefined;
  return ids.some((one) => one === id);
}

/** Returns false for JSON from a web framework, such as `{"detail":"Not Found"}`, in the body of an HTTP refusal. */
export function mayBeMessage(body: Uint8Array): boolean {
  const value = jsonIn(decoder.decode(body));
  return !isObject(value) || Object.hasOwn(value, 'jsonrpc') || isObject(own(value, 'error'));
}

interface StatusText {
  readonly code: string;
  /** Follows "The server answered HTTP 404: ". */
  readonly what: string;
  readonly advice: string;
}

const SEE_LOG = 'Check the log of the server.';
const SEE_LOGS = 'Check the log of the server, or of a proxy in front of it.';

/** Texts by status. A multiple of 100 stands for every status of its class that has no row. */
const STATUS_TEXTS: ReadonlyMap<number, StatusText> = new Map([
  [300, { code: 'http-redirected', what: 'the server has moved', advice: 'Use the URL in its Location header.' }],
  [400, { code: 'http-refused', what: 'it refused the request', advice: SEE_LOG }],
  [
    401,
    {
      code: 'http-unauthorized',
      what: 'authorization is required',
      advice: 'Add an Authorization header with a token that it accepts.',
    },
  ],
  [
    403,
    {
      code: 'http-forbidden',
      what: 'access denied',
      advice: 'Check the token, and which hosts and origins the server lets in.',
    },
  ],
  [
    404,
    {
      code: 'http-not-found',
      what: 'nothing found at this address',
      advice: 'Check the path: most servers are at /mcp, older ones at /sse.',
    },
  ],
  [
    405,
    {
      code: 'http-method',
      what: 'this address does not accept the method',
      advice: 'Check the path: most servers are at /mcp, older ones at /sse.',
    },
  ],
  [
    406,
    {
      code: 'http-not-acceptable',
      what: 'it can’t answer with JSON or an event stream',
      advice: 'Check that this address is an MCP server.',
    },
  ],
  [
    415,
    { code: 'http-media-type', what: 'it does not accept JSON', advice: 'Check that this address is an MCP server.' },
  ],
  [429, { code: 'http-too-many', what: 'too many requests', advice: 'Wait a little, then try again.' }],
  [
    500,
    {
      code: 'http-server-error',
      what: 'internal server error',
      advice: SEE_LOGS,
    },
  ],
  [
    502,
    {
      code: 'http-server-error',
      what: 'a gateway can’t reach the server',
      advice: 'Check that the server behind the gateway runs.',
    },
  ],
  [
    503,
    {
      code: 'http-server-error',
      what: 'the server is unavailable',
      advice: 'Check whether it, or a server behind a gateway, is still starting.',
    },
  ],
]);

const OTHER_STATUS: StatusText = {
  code: 'http-refused',
  what: 'not a valid response to an MCP message',
  advice: SEE_LOG,
};
