import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { SocketAttempt } from '@/lib/transports/http-link';
import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import type { SocketStep } from '@/lib/wire/socket-frame';
import { tlsFactsOf } from './tls-facts';

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
export async function dial(wanted: Dial): Promise<Socket> {
  const { host, port, address, tls, clock, signal } = wanted;
  const begun = clock.now();
  let told: Omit<SocketAttempt, 'addresses' | 'dnsMs'> = { host, port, address };
  let step: SocketStep = 'tcp';
  try {
    const socket = connectTcp({ host: address, port, noDelay: true, keepAlive: true });
    await reached(socket, 'connect', LIMITS.connectMs, wanted);
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
    await reached(secured, 'secureConnect', LIMITS.tlsMs, wanted);
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
