import type { X509Certificate } from 'node:crypto';
import { type Agent, type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { SocketAttempt } from '@/lib/transports/http-link';
import type { Clock } from '@/lib/wire/clock';
import type { CertificateFacts, SocketStep, TlsFacts } from '@/lib/wire/http-frame';
import { LIMITS } from '@/lib/wire/limits';

/** Milliseconds for one address to accept a connection, and then for the TLS handshake. */
const CONNECT_MS = 10_000;
const TLS_MS = 10_000;
/** Names of a certificate that are logged. */
const CERTIFICATE_NAMES = 20;

/** A socket to open to one address of a server. */
export interface Dial {
  /** The host of the URL, without brackets. Certificates have to be for this name. */
  readonly host: string;
  readonly port: number;
  readonly address: string;
  /** Absent: no encryption. */
  readonly tls?: { readonly context: SecureContext; readonly servername: string; readonly insecure: boolean };
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called once with the result. Not called after `signal` was aborted. */
  report(attempt: Omit<SocketAttempt, 'addresses' | 'dnsMs'>): void;
}

/** Opens a socket, with a timeout for each step. Rejects with Node's error, which has a code. */
async function dial(wanted: Dial): Promise<Socket> {
  const { host, port, address, tls, clock, signal } = wanted;
  const begun = clock.now();
  let attempt: Omit<SocketAttempt, 'addresses' | 'dnsMs'> = { host, port, address };
  let step: SocketStep = 'tcp';
  try {
    const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true });
    await reached(socket, 'connect', CONNECT_MS, wanted);
    const connected = clock.now();
    attempt = { ...attempt, tcpMs: tenths(connected - begun) };
    if (!tls) {
      wanted.report(attempt);
      return socket;
    }
    step = 'tls';
    const secured = connectTls({
      socket,
      // Only for checking the certificate's names; the socket is already open.
      host,
      servername: tls.servername,
      secureContext: tls.context,
      ALPNProtocols: ['http/1.1'],
      // Node would drop the certificate with the error, but the log shows it. Node still verifies it, and
      // `requireVerified` acts on the result before the socket is used.
      rejectUnauthorized: false,
    });
    await reached(secured, 'secureConnect', TLS_MS, wanted);
    attempt = { ...attempt, tlsMs: tenths(clock.now() - connected), tls: tlsFactsOf(secured) };
    if (!tls.insecure) requireVerified(secured);
    wanted.report(attempt);
    return secured;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!signal.aborted) wanted.report({ ...attempt, failure: { step, code: code ?? 'unknown', message } });
    throw error;
  }
}

function requireVerified(socket: TLSSocket): void {
  if (socket.authorized) return;
  socket.destroy();
  const reason = String(socket.authorizationError ?? 'unverified');
  throw withCode(new Error(`the certificate was not accepted: ${reason}`), reason);
}

/** Resolves on `event`. Rejects and destroys the socket on an error, a close, an abort or a timeout. */
function reached(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  ms: number,
  { clock, signal }: Pick<Dial, 'clock' | 'signal'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      socket.off(event, onEvent).off('error', settle).off('close', onClose);
      if (error === undefined) resolve();
      else {
        // The destroyed socket may still emit an error.
        socket.on('error', () => {}).destroy();
        reject(error);
      }
    };
    const onEvent = (): void => settle();
    const onClose = (): void => settle(withCode(new Error('the connection was cut'), 'ECONNRESET'));
    const onAbort = (): void => settle(withCode(new Error('closed from our side'), 'ABORT_ERR'));
    const cancelTimer = clock.after(ms, () => settle(withCode(new Error('it took too long'), 'ETIMEDOUT')));
    socket.once(event, onEvent).once('error', settle).once('close', onClose);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

function withCode(error: Error, code: string): NodeJS.ErrnoException {
  return Object.assign(error, { code });
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** The request option that our agents need in addition to Node's options. */
export interface DialingRequest {
  readonly dial: Dial;
}

type Callback = ((error: Error | null, socket: Duplex) => void) | undefined;

/** No limit on sockets: a waiting request would otherwise get a socket that was dialled for another one. */
const OPTIONS = { keepAlive: true } as const;

const failures = new WeakSet<object>();

/** True for errors of {@link dial}, before which no byte of the request can have reached the server. */
export function neverConnected(error: unknown): boolean {
  return typeof error === 'object' && error !== null && failures.has(error);
}

class DialingHttpAgent extends HttpAgent {
  override createConnection(options: ClientRequestArgs, callback: Callback): undefined {
    dialInto(options, callback);
  }
}

class DialingHttpsAgent extends HttpsAgent {
  override createConnection(options: ClientRequestArgs, callback: Callback): undefined {
    dialInto(options, callback);
  }
}

/** Returns Node's socket pools, with new sockets opened by {@link dial}. */
export function dialingAgents(): { readonly http: Agent; readonly https: HttpsAgent } {
  return { http: new DialingHttpAgent(OPTIONS), https: new DialingHttpsAgent(OPTIONS) };
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
