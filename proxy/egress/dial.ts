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

/** How long one address may take to accept a connection, and then to agree on TLS. Answers and idle bodies may take for ever. */
const CONNECT_MS = 10_000;
const TLS_MS = 10_000;
const CERTIFICATE_NAMES = 20;

/** One address of a server, and what a socket to it must be. */
export interface Dial {
  /** The URL's host, without brackets: what a certificate has to be for. */
  readonly host: string;
  readonly port: number;
  readonly address: string;
  /** Absent: not encrypted. */
  readonly tls?: { readonly context: SecureContext; readonly servername: string; readonly insecure: boolean };
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called once, with all that happened. Not called if `signal` ended it. */
  report(attempt: Omit<SocketAttempt, 'addresses' | 'dnsMs'>): void;
}

/** Opens a socket, each step bounded in time. Rejects with Node's error, which has a code. */
async function dial(wanted: Dial): Promise<Socket> {
  const { host, port, address, tls, clock, signal } = wanted;
  const begun = clock.now();
  let told: Omit<SocketAttempt, 'addresses' | 'dnsMs'> = { host, port, address };
  let step: SocketStep = 'tcp';
  try {
    const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true });
    await reached(socket, 'connect', CONNECT_MS, wanted);
    const connected = clock.now();
    told = { ...told, tcpMs: tenths(connected - begun) };
    if (!tls) {
      wanted.report(told);
      return socket;
    }
    step = 'tls';
    const secured = connectTls({
      socket,
      // For the check of names; the socket is open already.
      host,
      servername: tls.servername,
      secureContext: tls.context,
      ALPNProtocols: ['http/1.1'],
      // Node would drop the certificate with the error, and people need to see it. The verdict is Node's all the same, and
      // `requireVerified` acts on it before anybody else gets the socket.
      rejectUnauthorized: false,
    });
    await reached(secured, 'secureConnect', TLS_MS, wanted);
    told = { ...told, tlsMs: tenths(clock.now() - connected), tls: tlsFactsOf(secured) };
    if (!tls.insecure) requireVerified(secured);
    wanted.report(told);
    return secured;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!signal.aborted) wanted.report({ ...told, failure: { step, code: code ?? 'unknown', message } });
    throw error;
  }
}

function requireVerified(socket: TLSSocket): void {
  if (socket.authorized) return;
  socket.destroy();
  const reason = String(socket.authorizationError ?? 'unverified');
  throw withCode(new Error(`the certificate was not accepted: ${reason}`), reason);
}

/** Resolves on `event`; whatever else comes first destroys the socket and rejects. */
function reached(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  ms: number,
  { clock, signal }: Pick<Dial, 'clock' | 'signal'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      callOff();
      signal.removeEventListener('abort', onAbort);
      socket.off(event, onEvent).off('error', settle).off('close', onClose);
      if (error === undefined) resolve();
      else {
        // It may still fail in its own way, which nobody has to hear.
        socket.on('error', () => {}).destroy();
        reject(error);
      }
    };
    const onEvent = (): void => settle();
    const onClose = (): void => settle(withCode(new Error('the connection was cut'), 'ECONNRESET'));
    const onAbort = (): void => settle(withCode(new Error('closed from our side'), 'ABORT_ERR'));
    const callOff = clock.after(ms, () => settle(withCode(new Error('it took too long'), 'ETIMEDOUT')));
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

/** What a request to one of the agents says besides Node's own options. */
export interface DialingRequest {
  readonly dial: Dial;
}

type Callback = ((error: Error | null, socket: Duplex) => void) | undefined;

/** Without a limit: a request that waits for a socket would get one dialled for another request. */
const OPTIONS = { keepAlive: true } as const;

const failures = new WeakSet<object>();

/** True for an error of dialling: no byte of the request can have reached the server. */
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

/** Node's pools of open sockets, with new ones made by `dial`. */
export function dialingAgents(): { readonly http: Agent; readonly https: HttpsAgent } {
  return { http: new DialingHttpAgent(OPTIONS), https: new DialingHttpsAgent(OPTIONS) };
}

function dialInto(options: ClientRequestArgs, callback: Callback): void {
  // Node hands the options of the request on as they are.
  const { dial: wanted } = options as ClientRequestArgs & DialingRequest;
  dial(wanted).then(
    (socket) => callback?.(null, socket),
    (error: Error) => {
      failures.add(error);
      // After an error Node does not look for a socket.
      callback?.(error, undefined as never);
    },
  );
}

/** What a finished handshake came to, for the log. */
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

/** Node writes each attribute of a name on a line. */
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
