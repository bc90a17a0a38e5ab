import { skipSpace, stringEnd, valueEnd } from '@/lib/wire/json-scan';
import { previewLine, previewStart } from './preview';

type Members = ReadonlyMap<string, string>;

/** Notifications whose rows would all read the same. */
const WORDS: ReadonlyMap<string | undefined, (params: Members) => string | undefined> = new Map([
  ['notifications/message', logWords],
  ['notifications/progress', progressWords],
]);

/**
 * What a log message or a progress notification says: `warning flood: {"i":3}`, `12/300 step 12`. Read from the frame's first
 * bytes, so that a row costs little however long the frame is. undefined for other methods, and where nothing was found there.
 */
export function notificationWords(method: string | undefined, bytes: Uint8Array): string | undefined {
  const wordsOf = WORDS.get(method);
  if (!wordsOf) return undefined;
  const params = membersOf(previewStart(bytes)).get('params');
  const words = params === undefined ? undefined : wordsOf(membersOf(params));
  return words && previewLine(words);
}

function logWords(params: Members): string | undefined {
  const head = [textOf(params.get('level')), textOf(params.get('logger'))].filter(Boolean).join(' ');
  const data = textOf(params.get('data'));
  return data === undefined ? head : `${head}: ${data}`;
}

function progressWords(params: Members): string | undefined {
  const total = params.get('total');
  const done = params.get('progress');
  const far = total === undefined || done === undefined ? done : `${done}/${total}`;
  return [far, textOf(params.get('message'))].filter(Boolean).join(' ');
}

/** A string without its quotes, cut off or not; other values as they are written. */
function textOf(json: string | undefined): string | undefined {
  if (!json?.startsWith('"')) return json;
  const closed = stringEnd(json, 0) < 0 ? `${json.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"` : json;
  try {
    return String(JSON.parse(closed));
  } catch {
    return json;
  }
}

/** The members of an object by name, their values as they are written; the text may end in the midst of it. */
function membersOf(text: string): Members {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0) + 1;
  for (;;) {
    const name = skipSpace(text, at);
    const nameEnd = stringEnd(text, name);
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    if (nameEnd < 0 || value >= text.length) return members;
    const end = valueEnd(text, value);
    members.set(textOf(text.slice(name, nameEnd))!, text.slice(value, end < 0 ? text.length : end));
    if (end < 0) return members;
    at = skipSpace(text, end) + 1;
  }
}
