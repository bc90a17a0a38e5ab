import { Refusal } from '@/lib/mcp/client-handler';
import type { ReadMessage } from '@/lib/session/read-messages';
import { isObject, type JsonObject, own } from '@/lib/wire/message';
import type { Asked } from './asked';
import { bareParams } from './bare-params';
import { noticeText, questionText } from './event-text';
import type { Questions } from './questions';

/** A request that goes to a live server, and the way back for what that says before it answers. */
export interface Forwarding {
  readonly method: string;
  /** JSON text, without what says who asks. */
  readonly params: string | undefined;
  /** What the client said that it can. */
  readonly capabilities: JsonObject;
  /** Aborted: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Takes the params of a progress notification, as JSON text. */
  progressed(params: string): void;
  /** Asks the client something, and resolves with the JSON text of its result. Rejects with a {@link Refusal}; `signal` calls it off. */
  ask(method: string, params: string | undefined, signal: AbortSignal): Promise<string>;
}

/** The way to a live server and back, of one request of the client's. */
export function forwardingOf(asked: Asked, capabilities: JsonObject, questions: Questions): Forwarding {
  const { method, params, outlet, listener, abort } = asked;
  return {
    method,
    params: bareParams(params),
    capabilities,
    signal: abort.signal,
    progressed: (progress) => {
      const text = noticeText({ method: 'notifications/progress', params: progress }, listener);
      if (text !== undefined && !abort.signal.aborted) outlet.tell(text);
    },
    ask: async (question, questionParams, signal) => {
      const either = AbortSignal.any([signal, abort.signal]);
      const { id, answered } = questions.ask(either);
      outlet.tell(questionText({ method: question, params: questionParams }, id));
      const answer = await answered;
      if (answer) return resultOf(answer);
      if (signal.aborted && !abort.signal.aborted) {
        outlet.tell(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
      }
      throw new Refusal(-32603, 'The client did not answer');
    },
  };
}

/** What a client says of itself: in `initialize`, and since 2026-07-28 in each request; undefined in others. */
export function capabilitiesIn({ message, params }: ReadMessage): JsonObject | undefined {
  const holder =
    message.method === 'initialize'
      ? params?.member('capabilities')
      : params?.member('_meta')?.member('io.modelcontextprotocol/clientCapabilities');
  return isObject(holder?.value) ? holder.value : undefined;
}

function resultOf({ message: { body }, answer = '{}' }: ReadMessage): string {
  const error = own(body, 'error');
  if (!isObject(error)) return answer;
  const [code, message] = [own(error, 'code'), own(error, 'message')];
  throw new Refusal(typeof code === 'number' ? code : -32603, typeof message === 'string' ? message : '');
}
