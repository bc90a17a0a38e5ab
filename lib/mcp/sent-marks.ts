import { isObject, own, type RequestId } from '@/lib/wire/message';

/** The progress token that a request's params carry, whoever put it there. */
export function progressTokenOf(message: unknown): RequestId | undefined {
  const params = isObject(message) ? own(message, 'params') : undefined;
  const meta = isObject(params) ? own(params, '_meta') : undefined;
  const token = isObject(meta) ? own(meta, 'progressToken') : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The integers that a text sent by hand uses as ids or progress tokens, in a batch too. None if it is no JSON. */
export function integersIn(text: string): number[] {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return [];
  }
  const messages: unknown[] = Array.isArray(sent) ? sent : [sent];
  return messages
    .flatMap((message) => [isObject(message) ? own(message, 'id') : undefined, progressTokenOf(message)])
    .filter((mark) => typeof mark === 'number');
}
