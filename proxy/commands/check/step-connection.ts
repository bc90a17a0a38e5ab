import { ConnectionError, RefusedError } from '@/lib/transports/transport';
import type { ConnectedServer } from '../headless/on-server';
import type { ServerAnswer, ServerConnection } from '../headless/server-connection';

/** The part of a connection that the steps use. */
export type StepConnection = Pick<ServerConnection, 'request' | 'sendText' | 'notify'>;

/**
 * Makes a 4xx status without a JSON-RPC error an answer. A server that refuses bad input like that is not gone,
 * although a request should get JSON. The code is the status, which is never the code of a JSON-RPC error.
 */
export function withStatusAnswers(connection: ConnectedServer['connection']): StepConnection {
  return {
    request: (...asked) => connection.request(...asked).catch(statusAnswer),
    sendText: (...sent) => connection.sendText(...sent),
    notify: (...sent) => connection.notify(...sent),
  };
}

function statusAnswer(error: unknown): ServerAnswer {
  const isRefusal = error instanceof RefusedError && error.status >= 400 && error.status < 500;
  // A lost session is a lost server: the steps after it would be answered the same.
  if (!isRefusal || error.code === 'session-lost') throw error;
  return { kind: 'error', error: { code: error.status, message: error.message } };
}

/** Returns the code of an error as people know it. */
export function codeText(code: number): string {
  return isStatus(code) ? `HTTP ${code}` : `${code}`;
}

/** Returns an answer. Throws a ConnectionError if it is only a status. */
export function requireMessage(answer: ServerAnswer): ServerAnswer {
  if (answer.kind === 'result' || !isStatus(answer.error.code)) return answer;
  const { code, message } = answer.error;
  throw new ConnectionError({ code: 'http-refused', message, advice: `See why the server answers HTTP ${code}.` });
}

function isStatus(code: number): boolean {
  return code >= 400 && code < 500;
}
