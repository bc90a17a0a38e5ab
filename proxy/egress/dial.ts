import type { X509Certificate } from 'node:crypto';
import { type Agent, type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { SocketAttempt } from '@/lib/transports/http-link';
import type { CertificateFacts, SocketStep, TlsFacts } from '@/lib/wire/http-frame';
import { LIMITS } from '@/lib/wire/limits';
import { encrypt, openTcp, requireVerified, type SocketSteps, tenths } from './socket-steps';
import { authorityOf, openTunnel, type Tunnel } from './tunnel';

/** Names of a certificate that are logged. */
const CERTIFICATE_NAMES = 20;

/** A socket to open to one address of a server. */
export interface Dial extends SocketSteps {
  /** The host of the URL, without brackets. Certificates have to be for this name. */
  readonly host: string;
  readonly port: number;
  /** An address, or with `through` perhaps the host itself. */
  readonly to: string;
  /** Absent: a direct connection. */
  readonly through?: Omit<Tunnel, 'target'>;
  /** Absent: no encryption. */
  readonly tls?: { readonly context: SecureContext; readonly servername: string; readonly insecure: boolean };
  /** Called once with the result. Not called after `signal` was aborted. */
  report(attempt: Omit<SocketAttempt, 'addresses' | 'dnsMs'>): void;
}

/** Opens a socket, with a timeout for each step. Rejects with Node's error or a ConnectionError. */
async function dial(wanted: Dial): Promise<Socket> {
  const { host, port, to, through, tls, clock, signal } = wanted;
  const begun = clock.now();
  let attempt: Omit<SocketAttempt, 'addresses' | 'dnsMs'> = { host, port, ...(isIP(to) !== 0 && { address: to }) };
  let step: SocketStep = through ? 'proxy' : 'tcp';
  try {
    const socket = through
      ? await openTunnel({ ...through, target: authorityOf(to, port) }, wanted, (httpProxy) => {
          attempt = { ...attempt, httpProxy };
        })
      : await openTcp(to, port, wanted);
    const connected = clock.now();
    if (!through) attempt = { ...attempt, tcpMs: tenths(connected - begun) };
    if (!tls) {
      wanted.report(attempt);
      return socket;
    }
    step = 'tls';
    const secured = await encrypt(socket, { host, ...tls }, wanted);
    attempt = { ...attempt, tlsMs: tenths(clock.now() - connected), tls: tlsFactsOf(secured) };
    if (!tls.insecure) requireVerified(secured);
    wanted.report(attempt);
    return secured;
  } catch (error) {
    const { code, message, cause } = error as NodeJS.ErrnoException;
    const found = (cause as NodeJS.ErrnoException | undefined)?.code ?? code ?? 'unknown';
    if (!signal.aborted) wanted.report({ ...attempt, failure: { step, code: found, message } });
    throw error;
  }
}

/** The request option that our agents need in addition to Node's options. */
export interface DialingRequest {
  readonly dial: Dial;
}

type Callback = ((error: Error | null, socket: Duplex) => void) | undefined;

/**
 * How long a socket may be idle, in ms. Many servers close theirs after 5 s. A request that is sent on a socket just as
 * the server closes it fails, and can't safely be repeated.
 */
const IDLE_MS = 4000;

const failures = new WeakSet<object>();

/** True for errors of {@link dial}, before which no byte of the request can have reached the server. */
export function neverConnected(error: unknown): boolean {
  return typeof error === 'object' && error !== null && failures.has(error);
}

class DialingHttpAgent extends HttpAgent {
  override getName(options?: ClientRequestArgs): string {
    return super.getName(options) + routeOf(options);
  }

  override createConnection(options: ClientRequestArgs, callback: Callback): undefined {
    dialInto(options, callback);
  }
}

class DialingHttpsAgent extends HttpsAgent {
  override getName(options?: AgentOptions): string {
    return super.getName(options) + routeOf(options);
  }

  override createConnection(options: ClientRequestArgs, callback: Callback): undefined {
    dialInto(options, callback);
  }
}

/** Keeps sockets through an HTTP proxy apart from direct ones to the same address. */
function routeOf(options: object | undefined): string {
  const { through } = (options as Partial<DialingRequest> | undefined)?.dial ?? {};
  return through ? `:${through.proxy.origin}` : '';
}

/**
 * Returns Node's socket pools, with new sockets opened by {@link dial}. They have no limit on sockets: a waiting
 * request would otherwise get a socket that was dialled for another one.
 */
export function dialingAgents(idleMs = IDLE_MS): { readonly http: Agent; readonly https: HttpsAgent } {
  // Node applies this timeout to idle sockets only.
  const options = { keepAlive: true, timeout: idleMs };
  return { http: new DialingHttpAgent(options), https: new DialingHttpsAgent(options) };
}

function dialInto(options: ClientRequestArgs, callback: Callback): void {
  // Node passes the request's options on unchanged.
  const { dial: wanted } = options as ClientRequestArgs & DialingRequest;
  dial(wanted).then(
    (socket) => callback?.(null, socket),
    (error: Error) => {
      failures.add(error);
      // Node ignores the socket after an error.
      callback?.(error, undefined as never);
    },
  );
}

/** Returns the result of a TLS handshake for the log. */
function tlsFactsOf(socket: TLSSocket): TlsFacts {
  const protocol = socket.getProtocol();
  const certificate = socket.getPeerX509Certificate();
  return {
    ...(protocol !== null && { protocol }),
    cipher: socket.getCipher().name,
    ...(typeof socket.alpnProtocol === 'string' && { alpn: socket.alpnProtocol }),
    verified: socket.authorized,
    ...(certificate && { certificate: certificateFacts(certificate) }),
  };
}

function certificateFacts(certificate: X509Certificate): CertificateFacts {
  const { subject, issuer, subjectAltName = '', validFrom, validTo, fingerprint256 } = certificate;
  const names = subjectAltName.split(', ').filter((name) => name !== '');
  return {
    subject: cut(onOneLine(subject)),
    issuer: cut(onOneLine(issuer)),
    names: names.slice(0, CERTIFICATE_NAMES).map((name) => cut(name.replace(/^IP Address:/, 'IP:'))),
    validFrom: isoOf(validFrom),
    validTo: isoOf(validTo),
    fingerprint: fingerprint256,
  };
}

/** Joins the attributes of a name, which Node writes on separate lines. */
function onOneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ');
}

function isoOf(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? cut(date) : new Date(time).toISOString();
}

function cut(text: string): string {
  return text.length > LIMITS.certificateChars ? `${text.slice(0, LIMITS.certificateChars)}…` : text;
}
