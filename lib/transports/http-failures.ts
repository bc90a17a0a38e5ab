import { isObject, own, type RequestId, type RpcError } from '@/lib/json/value';
import type { Failure } from '@/lib/wire/lifecycle';
import { type Challenge, isScopeRefusal, readChallenge } from './challenge';
import { type Headers, type HttpResponse, headerOf } from './http-link';
import { ConnectionError, type HttpFailure } from './transport';

interface Words {
  readonly code: string;
  /** Follows "The server answered 404: ". */
  readonly what: string;
  readonly advice: string;
}

const LOOK = 'Look at its answer in the message log.';

/** By status; a hundred stands for all of its kind that have no row. */
const WORDS: ReadonlyMap<number, Words> = new Map([
  [
    300,
    { code: 'http-redirected', what: 'what was asked for is elsewhere', advice: 'Give the address it names instead.' },
  ],
  [400, { code: 'http-refused', what: 'it refuses the request', advice: LOOK }],
  [
    401,
    {
      code: 'http-unauthorized',
      what: 'it wants to know who asks',
      advice: 'Give an Authorization header with a token that it accepts.',
    },
  ],
  [
    403,
    {
      code: 'http-forbidden',
      what: 'it does not allow this',
      advice: 'Check the token, and which hosts and origins the server lets in.',
    },
  ],
  [
    404,
    {
      code: 'http-not-found',
      what: 'there is nothing at this address',
      advice: 'Check the path: most servers are at /mcp, older ones at /sse.',
    },
  ],
  [
    405,
    {
      code: 'http-method',
      what: 'this address takes no such requests',
      advice: 'Check the path: most servers are at /mcp, older ones at /sse.',
    },
  ],
  [
    406,
    {
      code: 'http-not-acceptable',
      what: 'it can not answer in JSON or as an event stream',
      advice: 'Check that this address is an MCP server.',
    },
  ],
  [
    415,
    { code: 'http-media-type', what: 'it does not take JSON', advice: 'Check that this address is an MCP server.' },
  ],
  [429, { code: 'http-too-many', what: 'too much was asked of it', advice: 'Wait a little, then try again.' }],
  [
    500,
    {
      code: 'http-server-error',
      what: 'it failed itself',
      advice: 'Look at the server’s own log, or at a proxy’s in front of it.',
    },
  ],
  [
    502,
    {
      code: 'http-server-error',
      what: 'a gateway in front of the server can not reach it',
      advice: 'See whether the server behind the gateway runs.',
    },
  ],
  [
    503,
    {
      code: 'http-server-error',
      what: 'the server is not available now',
      advice: 'See whether it is still starting, or whether a gateway in front of it waits for it.',
    },
  ],
]);

const OTHER: Words = { code: 'http-refused', what: 'that is no answer to MCP', advice: LOOK };

/** Codes of failures of the network, not of what a server says. */
const NETWORK =
  /^(?:connection-(?:refused|reset|timeout|broken)|host-unreachable|dns-failed|network-error|unreachable|local-network-denied|tls-.+)$/;

/** True for a failure to connect, and for a connection that was cut. */
export function isNetworkFailure({ code }: Failure): boolean {
  return NETWORK.test(code);
}

/** Says why this answer counts as none: gateways send 502 and 503 while their server restarts. undefined for others. */
export function gatewayFailure(status: number): Failure | undefined {
  return status === 502 || status === 503 ? statusFailure(status) : undefined;
}

/** Statuses by which servers say that they offer no stream (GET) of their own messages. */
const NO_STREAM: ReadonlySet<number> = new Set([404, 405, 406, 501]);

/** Returns the reason why the server offers no stream; undefined if that is a failure. */
export function noStream(status: number): HttpFailure | undefined {
  if (!NO_STREAM.has(status)) return undefined;
  return {
    code: 'no-stream',
    message: `The server offers no stream for messages of its own (HTTP ${status}). It does not have to.`,
    advice: 'It can still send messages while it answers a request.',
    status,
  };
}

/** Says why the server refuses to open a stream again. Only a POST can tell whether our session is gone. */
export function streamRefused(status: number): HttpFailure | undefined {
  if (status < 400 || status >= 500) return undefined;
  return {
    code: 'stream-refused',
    message: `The server does not open its stream again (HTTP ${status}). A POST will tell whether it still knows us.`,
    advice: 'It can still send messages while it answers a request.',
    status,
  };
}

/** Why a request got no answer: it belongs to a session that the server has forgotten, so the server did not run it. */
export function sessionForgotten(status: number, error?: RpcError): HttpFailure {
  const { message } = statusFailure(status, error);
  return {
    code: 'session-lost',
    message: `The session was lost, so the server did not run this. ${message}`,
    advice: 'Send it again in the new session.',
    status,
    ...(error && { error }),
  };
}

/** Why a status that is no success answers nothing. */
export function statusFailure(status: number, error?: RpcError): HttpFailure {
  const { code, what, advice } = WORDS.get(status) ?? WORDS.get(Math.floor(status / 100) * 100) ?? OTHER;
  const said = error === undefined ? what : `${JSON.stringify(error.message)} (${error.code})`;
  return { code, message: `The server answered HTTP ${status}: ${said}.`, advice, status, ...(error && { error }) };
}

/** Why an answer that is no success answers nothing. `sent`: the headers it answers. */
export function refusedAnswer({ status, headers }: HttpResponse, sent: Headers, error?: RpcError): HttpFailure {
  const failure = statusFailure(status, error);
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
  if (headerOf(sent, 'authorization') === undefined) return WORDS.get(401)!.advice;
  if (!isScopeRefusal(challenge)) return 'Check the Authorization header that you gave: the server does not accept it.';
  return `Give a token that covers ${challenge.scope === undefined ? 'more' : JSON.stringify(challenge.scope.slice(0, 200))}.`;
}

/** A success that holds no message. `type` is its media type. */
export function notMcp(status: number, type: string): HttpFailure {
  const what = type === '' ? 'without saying what it is' : `with ${type}, which is no MCP message`;
  return {
    code: 'not-mcp',
    message: `The server answered HTTP ${status} ${what}.`,
    advice: 'Check that the URL is that of an MCP server: most are at /mcp, older ones at /sse.',
    status,
  };
}

/** The exchange is over, and what came on it was no answer to the request. */
export function noAnswer(status: number): HttpFailure {
  return {
    code: 'no-answer',
    message: 'The server ended its HTTP answer without answering the request.',
    advice: 'Send it again if that does no harm: the server may have acted on it.',
    status,
  };
}

/** Nothing can be sent: not yet, or not any more. */
export function notConnected(): ConnectionError {
  return new ConnectionError({
    code: 'not-connected',
    message: 'The connection is not open, so nothing can be sent.',
    advice: 'Restart it.',
  });
}

/** The JSON-RPC error in the body of an HTTP refusal, whatever its id: servers write null. undefined if there is none. */
export function readRefusal(body: Uint8Array): RpcError | undefined {
  const value = jsonIn(body);
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

/** True if the body is a message with one of these ids. */
export function answersOneOf(ids: readonly RequestId[], body: Uint8Array): boolean {
  const value = jsonIn(body);
  const id = isObject(value) ? own(value, 'id') : undefined;
  return ids.some((one) => one === id);
}

/**
 * False for JSON that only a web framework wrote, such as `{"detail":"Not Found"}`. The body of an HTTP refusal need
 * not be an MCP message.
 */
export function mayBeMessage(body: Uint8Array): boolean {
  const value = jsonIn(body);
  return !isObject(value) || Object.hasOwn(value, 'jsonrpc') || isObject(own(value, 'error'));
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
