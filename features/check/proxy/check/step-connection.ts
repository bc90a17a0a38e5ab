import { ConnectionError, RefusedError } from '@/lib/transports/transport';
import type { ConnectedServer } from '@/proxy/commands/headless/on-server';
import type { ServerAnswer, ServerConnection } from '@/proxy/commands/headless/server-connection';
import type { SessionSignals } from './session-signals';

/** The part of a connection that the steps use. */
export type StepConnection = Pick<ServerConnection, 'request' | 'sendText' | 'notify' | 'sendAsHosts'>;

/**
 * Makes a 4xx status without a JSON-RPC error an answer. A server that refuses bad input like that is not gone,
 * although a request should get JSON. The code is the status, which is never the code of a JSON-RPC error.
 *
 * A lost session is a lost server, even if the request was answered in a new session.
 */
export function withStatusAnswers(
  connection: ConnectedServer['connection'],
  { losses }: Pick<SessionSignals, 'losses'>,
): StepConnection {
  return {
    request: async (...asked) => {
      const before = losses.length;
      const answer = await connection.request(...asked).catch(statusAnswer);
      if (losses.length === before) return answer;
      const message = `The server forgot its session. ${losses.at(-1)}`;
      throw new ConnectionError({ code: 'session-lost', message, advice: 'Keep a session until it is idle for long.' });
    },
    sendText: (...sent) => connection.sendText(...sent),
    notify: (...sent) => connection.notify(...sent),
    sendAsHosts: () => connection.sendAsHosts(),
  };
}

function statusAnswer(error: unknown): ServerAnswer {
  const isRefusal = error instanceof RefusedError && error.status >= 400 && error.status < 500;
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
