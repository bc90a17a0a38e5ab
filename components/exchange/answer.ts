import { messageSource } from '@/lib/store/answer-source';
import type { Exchange } from '@/lib/store/exchanges';
import type { Log } from '@/lib/store/log';
import type { JsonSource } from '@/lib/wire/json-source';

/** What a response said: one of the two, unless the server got it wrong. */
export interface Answer {
  readonly message: JsonSource;
  readonly result: JsonSource | undefined;
  readonly error: JsonSource | undefined;
  /** Of the frame, in bytes. */
  readonly bytes: number;
}

/** The answer of an exchange, out of a batch if it came in one; undefined while there is none. */
export function answerOf(log: Log, exchange: Exchange | undefined): Answer | undefined {
  if (exchange?.responseSeq === undefined) return undefined;
  const message = messageSource(log, exchange.responseSeq, exchange.id);
  return (
    message && {
      message,
      result: message.member('result'),
      error: message.member('error'),
      bytes: log.bytes(exchange.responseSeq - 1).length,
    }
  );
}
