import { request as httpRequest, type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { readChallenges } from '@/lib/transports/challenge';
import { ConnectionError } from '@/lib/transports/transport';
import type { HttpProxyHop } from '@/lib/wire/http-frame';
import type { Resolver } from './address-policy';
import type { HttpProxy } from './http-proxy';
import { aborted, cut, encrypt, openTcp, requireVerified, type SocketSteps, tenths, timedOut } from './socket-steps';

/** Milliseconds for the HTTP proxy to answer. It has to connect to the server meanwhile. */
const TUNNEL_MS = 30_000;

/** A tunnel to open. */
export interface Tunnel {
  readonly proxy: HttpProxy;
  /** Host and port to which the HTTP proxy connects: `mcp.example:443`. */
  readonly target: string;
  /** For the certificate of an `https:` proxy. */
  readonly context: SecureContext;
  readonly userAgent: string;
  readonly resolve: Resolver;
}

/** Returns host and port as CONNECT has them. */
export function authorityOf(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/**
 * Opens a tunnel through an HTTP proxy. Calls `report` once with what is known of the hop, before it settles. Rejects
 * with a ConnectionError whose code starts with `proxy-`, or with Node's error if it was aborted.
 */
export async function openTunnel(
  tunnel: Tunnel,
  attempt: SocketSteps,
  report: (hop: HttpProxyHop) => void,
): Promise<Socket> {
  const { proxy, target } = tunnel;
  const begun = attempt.clock.now();
  let hop: HttpProxyHop = { url: proxy.origin, variable: proxy.variable, target };
  try {
    const socket = await reachProxy(tunnel, attempt, (address) => {
      hop = { ...hop, address };
    });
    const answer = await askForTunnel(socket, tunnel, attempt);
    const { statusCode: status = 0 } = answer;
    hop = { ...hop, status, ms: tenths(attempt.clock.now() - begun) };
    if (status >= 200 && status < 300) return socket;
    socket.destroy();
    throw refusal(answer, tunnel);
  } catch (error) {
    throw attempt.signal.aborted ? error : tunnelFailure(error, tunnel);
  } finally {
    report(hop);
  }
}

/** Connects to the HTTP proxy itself. Its address is the user's own choice, so no policy applies. */
async function reachProxy(
  { proxy, context, resolve }: Tunnel,
  attempt: SocketSteps,
  found: (address: string) => void,
): Promise<Socket> {
  const { host, port, tls } = proxy;
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  let failure: unknown = Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
  for (const address of addresses) {
    try {
      const socket = await openTcp(address, port, attempt);
      found(address);
      if (!tls) return socket;
      const secured = await encrypt(socket, { host, servername: isIP(host) === 0 ? host : '', context }, attempt);
      requireVerified(secured);
      return secured;
    } catch (error) {
      failure = error;
      if (attempt.signal.aborted) break;
    }
  }
  throw failure;
}

function askForTunnel(socket: Socket, tunnel: Tunnel, { clock, signal }: SocketSteps): Promise<IncomingMessage> {
  const { proxy, target, userAgent } = tunnel;
  const request = httpRequest({
    method: 'CONNECT',
    path: target,
    headers: {
      Host: target,
      'User-Agent': userAgent,
      // Node would ask for the end of the connection.
      Connection: 'keep-alive',
      ...(proxy.authorization !== undefined && { 'Proxy-Authorization': proxy.authorization }),
    },
    createConnection: () => socket,
  });
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: Error): void => {
      stop();
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => fail(aborted());
    const onClose = (): void => fail(cut());
    const cancelTimer = clock.after(TUNNEL_MS, () => fail(timedOut()));
    // Every answer to CONNECT has this event, whatever its status.
    request.once('connect', (answer, _, head) => {
      stop();
      request.off('close', onClose);
      if (head.length > 0) socket.unshift(head);
      resolve(answer);
    });
    // Stays, because a destroyed socket may still cause an error.
    request.on('error', fail);
    request.once('close', onClose);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    request.end();
  });
}

/** Explains a status other than 2xx. Never quotes the answer, which may repeat the password. */
function refusal({ statusCode: status = 0, headers }: IncomingMessage, { proxy, target }: Tunnel): ConnectionError {
  const name = nameOf(proxy);
  if (status === 407) return signInNeeded(proxy, headers['proxy-authenticate']);
  if (status >= 500) {
    return new ConnectionError({
      code: 'proxy-cannot-connect',
      message: `${name} could not connect to ${target} (HTTP ${status}).`,
      advice: 'Check the host and the port. The HTTP proxy must be able to resolve and reach them.',
    });
  }
  const ports = target.endsWith(':443') ? '' : ' Many allow only port 443.';
  return new ConnectionError({
    code: 'proxy-refused',
    message: `${name} refused a connection to ${target} (HTTP ${status}).`,
    advice: `Ask its administrator to allow it.${ports} For a host that this machine reaches itself, add it to NO_PROXY.`,
  });
}

function signInNeeded({ variable, authorization, ...proxy }: HttpProxy, asked: string | undefined): ConnectionError {
  const name = nameOf(proxy);
  const schemes = readChallenges(asked ?? '').map(({ scheme }) => scheme);
  if (schemes.length > 0 && !schemes.some((scheme) => scheme.toLowerCase() === 'basic')) {
    const list = schemes.map((scheme) => scheme.slice(0, 20)).join(' or ');
    return new ConnectionError({
      code: 'proxy-credentials',
      message: `${name} requires sign-in with ${list}, but mcp-inspect supports only Basic (HTTP 407).`,
      advice: `Run a local proxy that signs in for you, and name it in ${variable}.`,
    });
  }
  return new ConnectionError({
    code: 'proxy-credentials',
    message: authorization
      ? `${name} rejected the user name and password in ${variable} (HTTP 407).`
      : `${name} requires a user name and password (HTTP 407).`,
    advice: authorization
      ? 'Check both. Special characters must be percent-encoded, such as %40 for @.'
      : `Write them into ${variable}: http://USER:PASSWORD@HOST:PORT.`,
  });
}

/** Explains Node's error. The code of that error is in `cause`. */
function tunnelFailure(error: unknown, { proxy, target }: Tunnel): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [, known, what, advice] = FAILURES.find(([pattern]) => pattern.test(code))!;
  const failure = {
    code: known,
    message: `${what.replace('PROXY', `HTTP proxy ${proxy.origin}`)} (${code || message}).`,
    advice: advice
      .replace('VARIABLE', proxy.variable)
      .replace('SCHEME', proxy.tls ? 'http' : 'https')
      .replace('TARGET', target),
  };
  return Object.assign(new ConnectionError(failure), { cause: error });
}

const CHECK = 'Check VARIABLE, the network and the VPN. For a host that needs no HTTP proxy, use NO_PROXY.';
/** Some HTTP proxies have no other answer for a server that they can't reach. */
const MAYBE_SERVER =
  'It may be unable to reach TARGET: check the host and the port. Then check VARIABLE and the network.';

/** By pattern of Node's error code; the first match counts. Capitals are filled in. */
const FAILURES: readonly (readonly [pattern: RegExp, code: string, what: string, advice: string])[] = [
  [
    /^(HPE_|ERR_SSL_|EPROTO)/,
    'proxy-unreachable',
    'The PROXY did not answer as an HTTP proxy',
    'Check host and port in VARIABLE, or write SCHEME:// there.',
  ],
  [
    /CERT|SIGNATURE|UNABLE_TO|CRL_|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH/,
    'proxy-untrusted',
    'The certificate of the PROXY was not accepted',
    'Trust its authority with --tls ca=FILE or NODE_EXTRA_CA_CERTS.',
  ],
  [/^ETIMEDOUT$/, 'proxy-unreachable', 'The PROXY did not answer in time', MAYBE_SERVER],
  [/^(ECONNRESET|EPIPE)$/, 'proxy-unreachable', 'The PROXY closed the connection without an answer', MAYBE_SERVER],
  [/^/, 'proxy-unreachable', 'Could not connect to the PROXY', CHECK],
];

function nameOf({ origin }: Pick<HttpProxy, 'origin'>): string {
  return `The HTTP proxy ${origin}`;
}
