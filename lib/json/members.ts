import { skipSpace, stringEnd, valueEnd } from './scan';

/** One member of an object's text. The value is `text.slice(start, end)`, without the whitespace around it. */
interface Member {
  /** Without quotes, escapes decoded. Keys may repeat. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Text that is not the JSON it should be. Codes: `not-an-object`, `params-not-json`. */
export class JsonTextError extends Error {
  readonly code: 'not-an-object' | 'params-not-json';
  readonly advice: string;

  constructor(code: JsonTextError['code'], message: string, advice: string) {
    super(message);
    this.name = 'JsonTextError';
    this.code = code;
    this.advice = advice;
  }
}

/**
 * The top-level members of an object's text, in order, duplicates included. Values are stepped over, not validated and not
 * parsed, so digits, key order and escapes stay what they are. Throws {@link JsonTextError} `not-an-object` on anything else.
 */
export function topLevelMembers(text: string): Member[] {
  const found: Member[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== '{') throw notAnObject(at);
  at = skipSpace(text, at + 1);
  let more = text[at] !== '}';
  while (more) {
    const keyEnd = ended(stringEnd(text, at), at);
    const key = decodeString(text, at, keyEnd);
    at = skipSpace(text, keyEnd);
    if (text[at] !== ':') throw notAnObject(at);
    const start = skipSpace(text, at + 1);
    const end = ended(valueEnd(text, start), start);
    found.push({ key, start, end });
    at = skipSpace(text, end);
    more = text[at] === ',';
    if (more) at = skipSpace(text, at + 1);
  }
  if (text[at] !== '}') throw notAnObject(at);
  const rest = skipSpace(text, at + 1);
  if (rest < text.length) throw notAnObject(rest);
  return found;
}

/**
 * The text of an object with these members set, whose values are JSON text too: each replaces the last of its name, or is put
 * at the end. What else is there stays as it was written. Throws {@link JsonTextError} `not-an-object`.
 */
export function setMembers(text: string, values: Iterable<readonly [key: string, written: string]>): string {
  let changed = text;
  for (const [key, written] of values) {
    const present = topLevelMembers(changed);
    const old = present.findLast((member) => member.key === key);
    if (old === undefined) changed = append(changed, present, [`${JSON.stringify(key)}:${written}`]);
    else changed = changed.slice(0, old.start) + written + changed.slice(old.end);
  }
  return changed;
}

/** Puts members after the last one of an object's text. */
function append(text: string, present: readonly Member[], added: readonly string[]): string {
  if (added.length === 0) return text;
  const last = present.at(-1);
  const at = last === undefined ? text.indexOf('{') + 1 : last.end;
  return `${text.slice(0, at)}${last === undefined ? '' : ','}${added.join(',')}${text.slice(at)}`;
}

function decodeString(text: string, start: number, end: number): string {
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    throw notAnObject(start);
  }
}

/** `end`, or the error that nothing ends what starts at `start`. */
function ended(end: number, start: number): number {
  if (end < 0) throw notAnObject(start);
  return end;
}

function notAnObject(at: number): JsonTextError {
  return new JsonTextError(
    'not-an-object',
    `The text is not a JSON object: it goes wrong at character ${at + 1}.`,
    'Give a JSON object, from { to }.',
  );
}

export type JsonMembers = ReadonlyMap<string, string>;

/** A string without its quotes, cut off or not; other values as they are written. */
export function memberText(json: string | undefined): string | undefined {
  if (!json?.startsWith('"')) return json;
  const closed = stringEnd(json, 0) < 0 ? `${json.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"` : json;
  try {
    return String(JSON.parse(closed));
  } catch {
    return json;
  }
}

/** The members of an object by name, their values as they are written; the text may end in the midst of it. */
export function partialMembers(text: string): JsonMembers {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0) + 1;
  for (;;) {
    const name = skipSpace(text, at);
    const nameEnd = stringEnd(text, name);
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    if (nameEnd < 0 || value >= text.length) return members;
    const end = valueEnd(text, value);
    members.set(memberText(text.slice(name, nameEnd))!, text.slice(value, end < 0 ? text.length : end));
    if (end < 0) return members;
    at = skipSpace(text, end) + 1;
  }
}
