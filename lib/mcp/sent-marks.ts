import { isObject, own, type RequestId } from '@/lib/wire/message';

/** The progress token that a request's params carry, whoever put it there. */
export function progressTokenOf(message: unknown): RequestId | undefined {
  const params = isObject(message) ? own(message, 'params') : undefined;
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  const token = isObject(meta) ? own(meta, 'progressToken') : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** What a text sent by hand uses, in a batch too. Nothing if it is no JSON. */
export interface SentMarks {
  /** Integers that are ids or progress tokens. */
  readonly integers: readonly number[];
  /** Ids of requests that it answers. */
  readonly answered: readonly RequestId[];
}

/** Reads them. Never throws. */
export function marksIn(text: string): SentMarks {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return { integers: [], answered: [] };
  }
  const messages: unknown[] = Array.isArray(sent) ? sent : [sent];
  const ids = messages.map((message) => (isObject(message) ? own(message, 'id') : undefined));
  return {
    integers: [...ids, ...messages.map(progressTokenOf)].filter((mark) => typeof mark === 'number'),
    answered: messages
      .filter(isObject)
      .filter((message) => Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'))
      .map((message) => own(message, 'id'))
      .filter((id) => typeof id === 'string' || typeof id === 'number'),
  };
}
