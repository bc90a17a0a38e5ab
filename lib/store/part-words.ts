import { isObject, own } from '@/lib/wire/message';
import { messageSource } from './answer-source';
import type { Log } from './log';

/** The longest text that is told of one. */
const SHOWN = 200;

/** What a notification of a call says in a few words: how far it is, what was logged. A server's text; undefined for nothing. */
export function notificationWords(log: Log, seq: number): string | undefined {
  const params = messageSource(log, seq)?.member('params')?.value;
  if (!isObject(params)) return undefined;
  const [progress, total, message, data] = ['progress', 'total', 'message', 'data'].map((name) => own(params, name));
  const far =
    typeof progress === 'number' ? `${progress}${typeof total === 'number' ? ` of ${total}` : ''}` : undefined;
  const said = [message, data].find((value) => typeof value === 'string');
  const words = [far, said].filter((part) => part !== undefined).join(' · ');
  return words === '' ? undefined : words.slice(0, SHOWN);
}
