import { withoutAnsi } from '@/lib/wire/ansi';
import { type JsonMembers, membersOf, memberText } from './json-members';
import { previewLine, previewStart } from './preview';

/** Notifications whose rows would all read the same. */
const WORDS: ReadonlyMap<string | undefined, (params: JsonMembers) => string | undefined> = new Map([
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
  return words && previewLine(withoutAnsi(words));
}

function logWords(params: JsonMembers): string | undefined {
  const head = [memberText(params.get('level')), memberText(params.get('logger'))].filter(Boolean).join(' ');
  const data = memberText(params.get('data'));
  return data === undefined ? head : `${head}: ${data}`;
}

function progressWords(params: JsonMembers): string | undefined {
  const total = params.get('total');
  const done = params.get('progress');
  const far = total === undefined || done === undefined ? done : `${done}/${total}`;
  return [far, memberText(params.get('message'))].filter(Boolean).join(' ');
}
