import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Failure } from '@/lib/wire/lifecycle';

/** Options of our HTTP servers: bounds on requests, against clients that send too much or too slowly. */
export const REQUEST_BOUNDS = {
  /** Bytes of the request line and headers together. */
  maxHeaderSize: 16 * 1024,
  /** Milliseconds until all headers, and then the whole request, have arrived. */
  headersTimeout: 3000,
  requestTimeout: 5000,
} as const;

/** Number of ports to try, from the requested one up, unless the port is fixed. */
const PORT_TRIES = 20;

/** Error codes of ports that other programs use or that the system reserves. */
const TAKEN = new Set(['EADDRINUSE', 'EACCES']);

/**
 * Listens on `address` and returns the port; 0 means any free one. If the port is taken, tries the next ones unless
 * `fixed`. Throws StartError `port-taken`, `host-unavailable`, `listen-failed`.
 */
export async function listenAt(server: Server, address: string, port: number, fixed: boolean): Promise<number> {
  const last = fixed || port === 0 ? port : Math.min(port + PORT_TRIES - 1, 65_535);
  for (let at = port; at <= last; at++) {
    try {
      server.listen({ host: address, port: at, exclusive: true });
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (!TAKEN.has(codeOf(error))) throw cannotListen(address, error);
    }
  }
  const [ports, program] =
    last === port
      ? [`Port ${port} on ${address} is`, 'the program that uses it']
      : [`Ports ${port} to ${last} on ${address} are all`, 'a program that uses one of them'];
  throw new StartError({
    code: 'port-taken',
    message: `${ports} taken or reserved.`,
    advice: `Stop ${program}, or choose another port with --port (0 takes any free one).`,
  });
}

function cannotListen(address: string, error: unknown): StartError {
  const code = codeOf(error);
  return code === 'EADDRNOTAVAIL'
    ? new StartError(
        {
          code: 'host-unavailable',
          message: `${address} is not an address of this machine.`,
          advice: 'Give --listen an address of this machine, or remove --listen.',
        },
        error,
      )
    : new StartError(
        {
          code: 'listen-failed',
          message: `Listening on ${address} failed with ${code}.`,
          advice: 'Remove --listen and --port to use the defaults.',
        },
        error,
      );
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'an unknown error';
}

/** An error to throw when the proxy can't start: a {@link Failure} with a cause. */
export class StartError extends Error implements Failure {
  readonly code: string;
  readonly advice: string;

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, { cause });
    this.name = 'StartError';
    this.code = failure.code;
    this.advice = failure.advice;
  }
}
