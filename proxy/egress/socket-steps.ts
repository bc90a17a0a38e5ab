import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { Clock } from '@/lib/wire/clock';

/** Milliseconds for one address to accept a connection, and for a TLS handshake. */
const CONNECT_MS = 10_000;
const TLS_MS = 10_000;

/** The services that every step of opening a socket uses. */
export interface SocketSteps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Connects to an address. Rejects with Node's error, which has a code. */
export async function openTcp(address: string, port: number, attempt: SocketSteps): Promise<Socket> {
  const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true });
  await reached(socket, 'connect', CONNECT_MS, attempt);
  return socket;
}

interface Encryption {
  /** Certificates have to be for this name. Without brackets. */
  readonly host: string;
  /** For SNI; '' for an address. */
  readonly servername: string;
  readonly context: SecureContext;
}

/**
 * Encrypts a connected socket. Rejects with Node's error. Node verifies the certificate but does not act on the result:
 * call {@link requireVerified} before you use the socket.
 */
export async function encrypt(socket: Socket, to: Encryption, attempt: SocketSteps): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    // Only for checking the certificate's names; the socket is already open.
    host: to.host,
    servername: to.servername,
    secureContext: to.context,
    ALPNProtocols: ['http/1.1'],
    // Node would drop the certificate with the error, but the log shows it.
    rejectUnauthorized: false,
  });
  await reached(secured, 'secureConnect', TLS_MS, attempt);
  return secured;
}

/** Destroys the socket and throws, unless its certificate was verified. */
export function requireVerified(socket: TLSSocket): void {
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
  { clock, signal }: SocketSteps,
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
    const onClose = (): void => settle(cut());
    const onAbort = (): void => settle(aborted());
    const cancelTimer = clock.after(ms, () => settle(timedOut()));
    socket.once(event, onEvent).once('error', settle).once('close', onClose);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

export function cut(): Error {
  return withCode(new Error('the connection was cut'), 'ECONNRESET');
}

export function aborted(): Error {
  return withCode(new Error('closed from our side'), 'ABORT_ERR');
}

export function timedOut(): Error {
  return withCode(new Error('it took too long'), 'ETIMEDOUT');
}

function withCode(error: Error, code: string): NodeJS.ErrnoException {
  return Object.assign(error, { code });
}

/** Rounds milliseconds to tenths. */
export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
