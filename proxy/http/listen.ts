import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Failure } from '@/lib/wire/lifecycle';

/** Ports tried, from the default one up, before we give up. */
const PORT_TRIES = 20;

/** What other programs, and the system's reserved ranges, answer for a port that can't be had. */
const TAKEN = new Set(['EADDRINUSE', 'EACCES']);

/**
 * Listens on `address` and returns the port. A taken port is an error if `fixed`; if not, the next ones are tried. 0 is
 * any free one. Never tries another address. Throws StartError `port-taken`, `host-unavailable`, `listen-failed`.
 */
export async function listen(server: Server, address: string, port: number, fixed: boolean): Promise<number> {
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
  const ports = last === port ? `Port ${port} on ${address} is` : `Ports ${port} to ${last} on ${address} are all`;
  throw new StartError({
    code: 'port-taken',
    message: `${ports} taken, or not for us to use.`,
    advice: 'Stop what uses it, or choose another with --port; --port 0 takes any free one.',
  });
}

function cannotListen(address: string, error: unknown): StartError {
  const code = codeOf(error);
  return code === 'EADDRNOTAVAIL'
    ? new StartError(
        {
          code: 'host-unavailable',
          message: `${address} is not an address of this machine.`,
          advice: 'Give --host an address that this machine has, or leave it out.',
        },
        error,
      )
    : new StartError(
        {
          code: 'listen-failed',
          message: `Listening on ${address} failed with ${code}.`,
          advice: 'Leave --host and --port out to get the defaults.',
        },
        error,
      );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error';
}

/** Why the proxy could not start listening: a {@link Failure} to throw. */
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
