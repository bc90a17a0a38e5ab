import type { TransportEnd } from '@/lib/transports/transport';
import type { ConnectionState, Failure } from '@/lib/wire/lifecycle';

/** How a server's own end is told. */
export function exitFailure(state: ConnectionState, { code, signal }: TransportEnd): Failure {
  const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
  return {
    code: 'server-exited',
    message: state === 'starting' ? `The server ${how} before it was ready.` : `The server ${how}.`,
    advice:
      code === 0
        ? 'It ended as if it had nothing to do: check that the command starts a server, and what it printed in the log.'
        : 'Read its stderr in the log, mend the cause, then restart it.',
  };
}
