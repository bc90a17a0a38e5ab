import type { TransportEnd } from '@/lib/transports/transport';
import { type ConnectionState, type Failure, isFailure } from '@/lib/wire/lifecycle';

/** Returns a caught error as a failure to log. */
export function asFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  return {
    code: 'internal',
    message: `mcp-inspect itself failed: ${error instanceof Error ? error.message : String(error)}.`,
    advice: 'Restart the server. If it happens again, report it with this log.',
  };
}

/** Returns the failure of sending on a connection that is not open. */
export function notOpen(state: ConnectionState): Failure {
  return {
    code: 'not-connected',
    message: `The connection ${state === 'starting' ? 'is not open yet' : 'has ended'}, so nothing can be sent.`,
    advice: state === 'starting' ? 'Wait until the server has answered.' : 'Restart the server to go on.',
  };
}

export const NO_LEVEL_OFF: Failure = {
  code: 'no-level-off',
  message: 'This MCP version cannot switch log messages off.',
  advice: 'Choose a level, such as emergency.',
};

/** Why requests are lost on a connection that we closed. */
export const DISCONNECTED: Failure = {
  code: 'disconnected',
  message: 'The connection was closed.',
  advice: 'Restart it to go on.',
};

/** Describes the exit of a server's process; undefined for the end of something else. */
export function exitFailure(state: ConnectionState, { code, signal }: TransportEnd): Failure | undefined {
  if (code === null && signal === null) return undefined;
  const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
  return {
    code: 'server-exited',
    message: state === 'starting' ? `The server ${how} before it was ready.` : `The server ${how}.`,
    advice:
      code === 0
        ? 'It exited without an error. Check that the command starts a server, and read its output in the log.'
        : 'See stderr below, fix the cause, then restart it.',
  };
}
