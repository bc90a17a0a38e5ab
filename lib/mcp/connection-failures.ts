import { isNetworkFailure } from '@/lib/transports/http-failures';
import { type ConnectionState, type Failure, isFailure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

/** Renewing sessions has become a storm. */
export const SESSIONS_LOST: Failure = {
  code: 'session-lost',
  message: `The server forgot the session more than ${LIMITS.sessionsLost} times in ${LIMITS.sessionsLostMs / 1000} seconds.`,
  advice: 'See whether requests reach several instances that do not share their sessions, then restart the connection.',
};

/** Why requests of a connection that we closed are lost. */
export const DISCONNECTED: Failure = {
  code: 'disconnected',
  message: 'The connection was closed.',
  advice: 'Restart it to go on.',
};

/** Whatever was thrown, as something for people. */
export function asFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  return {
    code: 'internal',
    message: `mcp-inspect itself failed: ${error instanceof Error ? error.message : String(error)}.`,
    advice: 'Restart the server; if it happens again, report it with this log.',
  };
}

/** True for why a handshake failed that may go well a moment later: the server is restarting. */
export function mayPass(failure: Failure): boolean {
  const status = 'status' in failure ? Number(failure.status) : 0;
  return isNetworkFailure(failure) || status === 404 || status >= 500;
}

/** Why nothing can be sent in this state. */
export function notOpen(state: ConnectionState): Failure {
  return {
    code: 'not-connected',
    message: `The connection is ${state}, so nothing can be sent.`,
    advice: state === 'starting' ? 'Wait until the server has answered.' : 'Restart the server to go on.',
  };
}

/** Nobody told why. */
export const NOT_CONNECTED: Failure = {
  code: 'not-connected',
  message: 'The server is gone.',
  advice: 'Restart the connection.',
};
