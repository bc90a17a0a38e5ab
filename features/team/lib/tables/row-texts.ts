import { isObject, own } from '@/lib/json/value';
import type { Message } from '@/lib/store/classify';

/** Characters kept of an error. */
export const ERROR_CHARS = 500;

/** Characters of the longest arguments that are kept. Cut JSON would make every JSON function of a query fail. */
export const ARGUMENTS_CHARS = 4096;

/** Bytes of the longest request whose arguments are read. */
const REQUEST_BYTES = 64 * 1024;

/** Text of a message that its row needs. Messages may be gone from memory when the row is made. */
export interface RowTexts {
  readonly args?: string;
  readonly error?: string;
  readonly errorCode?: number;
}

/** Reads the texts of the row of a message with this many bytes; undefined if it has none. */
export function rowTexts({ kind, body }: Message, bytes: number): RowTexts | undefined {
  if (kind === 'request') return bytes > REQUEST_BYTES ? undefined : argumentsOf(own(body, 'params'));
  if (kind === 'error') return errorOf(own(body, 'error'));
  const result = kind === 'response' ? own(body, 'result') : undefined;
  return isObject(result) && own(result, 'isError') === true ? toolErrorOf(own(result, 'content')) : undefined;
}

function argumentsOf(params: unknown): RowTexts | undefined {
  const given = isObject(params) ? own(params, 'arguments') : undefined;
  if (given === undefined) return undefined;
  const args = JSON.stringify(given);
  return args.length > ARGUMENTS_CHARS ? undefined : { args };
}

function errorOf(error: unknown): RowTexts | undefined {
  if (!isObject(error)) return undefined;
  const [code, message] = [own(error, 'code'), own(error, 'message')];
  return {
    ...(typeof code === 'number' && { errorCode: code }),
    ...(typeof message === 'string' && { error: message.slice(0, ERROR_CHARS) }),
  };
}

function toolErrorOf(content: unknown): RowTexts | undefined {
  if (!Array.isArray(content)) return undefined;
  let error = '';
  for (const item of content) {
    const text = isObject(item) ? own(item, 'text') : undefined;
    if (typeof text === 'string') error += (error === '' ? '' : '\n') + text.slice(0, ERROR_CHARS);
    if (error.length >= ERROR_CHARS) break;
  }
  return { error: error.slice(0, ERROR_CHARS) };
}
