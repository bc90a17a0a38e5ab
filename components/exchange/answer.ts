import type { Exchange } from '@/lib/store/exchanges';
import type { Log } from '@/lib/store/log';
import { idKey, isObject, type JsonObject, own } from '@/lib/wire/message';

/** What a response said: one of the two, unless the server got it wrong. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: unknown;
  /** Of the frame, in bytes. */
  readonly bytes: number;
}

/** The answer of an exchange, out of a batch if it came in one; undefined while there is none. */
export function answerOf(log: Log, exchange: Exchange | undefined): Answer | undefined {
  if (exchange?.responseSeq === undefined) return undefined;
  const index = exchange.responseSeq - 1;
  const message = pick(log.json(index), exchange);
  return message && { result: own(message, 'result'), error: own(message, 'error'), bytes: log.bytes(index).length };
}

function pick(json: unknown, exchange: Exchange): JsonObject | undefined {
  const messages = Array.isArray(json) ? json : [json];
  const key = idKey(exchange.id);
  return messages.filter(isObject).find((message) => idKey(own(message, 'id')) === key) ?? messages.find(isObject);
}
