import { parseBounded } from '@/lib/json/parse';
import { formatId, type RequestId } from '@/lib/wire/message';
import { brokenAnswer, quotedLine, readLoosely, startIn, unwrapped } from './unmatched-answers';

/** Characters searched for an explanation when the frame is opened. Takes about 10 ms. */
export const EXPLAINED_CHARS = 1024 * 1024;

/**
 * Explains why a text that looks like a response is not a message. `lines`: number of lines it was printed over.
 * `requested`: the expected id.
 */
export function explainBrokenAnswer(text: string, lines: number, requested?: RequestId | null): string {
  const sentences = [
    lines > 1 && `It is printed over ${lines} lines, but a message must be one line.`,
    faultOf(text) ?? (lines === 1 && 'It is not valid JSON.'),
  ];
  const { id, resultOf } = brokenAnswer(text) ?? {};
  if (resultOf !== undefined) return [...sentences.filter(Boolean).slice(0, lines > 1 ? 1 : 0), BARE].join(' ');
  if (id !== undefined) sentences.push(explainIdMismatch(id, requested) ?? false);
  return sentences.filter(Boolean).join(' ');
}

/** Explains why a response is not paired with a request; undefined if the ids are the same. */
export function explainIdMismatch(
  id: RequestId | null | undefined,
  requested: RequestId | null | undefined,
): string | undefined {
  if (id === requested || requested === undefined || requested === null) return undefined;
  return `${id === undefined ? 'It has no id' : `Its id is ${formatId(id)}`}, expected ${formatId(requested)}.`;
}

/** Explains why a text is not a message; undefined for valid JSON, and beyond `EXPLAINED_CHARS`. */
function faultOf(text: string): string | undefined {
  const message = unwrapped(text);
  if (message !== text) {
    return text.includes('\0')
      ? 'It is in UTF-16. Messages are in UTF-8.'
      : 'It is a JSON string that contains JSON: the message is encoded twice.';
  }
  const isWhole = text.length <= EXPLAINED_CHARS;
  const start = startIn(text);
  const { names, fault, end } = readLoosely(text, start, EXPLAINED_CHARS);
  const parsed = isWhole ? parses(text) : false;
  if (parsed === true) return names.has('result') || names.has('error') ? undefined : NEITHER;
  if (parsed === 'monster') return 'It is nested too deeply or has too many values.';
  const before = text.slice(0, start).trim();
  const isBatch = before === '[';
  if (before !== '' && !isBatch) return `The line starts with \`${quotedLine(before)}\` instead of JSON.`;
  if (fault !== undefined) return fault;
  if (end < 0) return isWhole ? 'The JSON is incomplete.' : undefined;
  const after = text.slice(end, EXPLAINED_CHARS).trim();
  return after === '' || isBatch ? undefined : `There is more text after the JSON: \`${quotedLine(after)}\`.`;
}

const BARE = 'It is the result alone. Print it as the member `result` of an object with `jsonrpc` and the `id`.';
const NEITHER = 'It has neither `result` nor `error`.';

function parses(text: string): boolean | 'monster' {
  try {
    parseBounded(text);
    return true;
  } catch (error) {
    return error instanceof RangeError && 'monster';
  }
}
