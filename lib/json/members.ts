import { skipSpace, stringEnd, valueEnd } from './scan';

/** One member of an object's text. Its value is `text.slice(start, end)`, without white space around it. */
interface Member {
  /** Decoded name. Names can repeat. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Thrown for text that is not the expected JSON. */
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
 * Finds the members of an object, in order and with duplicates. Values are skipped, not validated. Throws
 * {@link JsonTextError} `not-an-object` for any other text.
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
 * Sets members of an object, given as JSON text. Each value replaces the last member of its name, or is added at the
 * end. Everything else stays as written. Throws {@link JsonTextError} `not-an-object`.
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

/** Adds members after the last one. */
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

/** Returns `end`. Throws if it is negative, because then the token at `start` has no end. */
function ended(end: number, start: number): number {
  if (end < 0) throw notAnObject(start);
  return end;
}

function notAnObject(at: number): JsonTextError {
  return new JsonTextError(
    'not-an-object',
    `Not a JSON object: unexpected input at character ${at + 1}.`,
    'Enter a JSON object, from { to }.',
  );
}

/** Values as written, by name. */
export type JsonMembers = ReadonlyMap<string, string>;

/** Decodes a string, even one that is cut off. Returns other values as written. */
export function memberText(json: string | undefined): string | undefined {
  if (!json?.startsWith('"')) return json;
  const closed = stringEnd(json, 0) < 0 ? `${json.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"` : json;
  try {
    return String(JSON.parse(closed));
  } catch {
    return json;
  }
}

/** Returns the members of an object by name, with values as written. The text can be cut off anywhere. */
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

/** Returns the items of an array as written. The text can be cut off anywhere; `whole` tells whether it was not. */
export function partialItems(text: string): { readonly items: readonly string[]; readonly whole: boolean } {
  const items: string[] = [];
  if (text[0] !== '[') return { items, whole: true };
  for (let at = skipSpace(text, 1); at < text.length; ) {
    if (text[at] === ']') return { items, whole: true };
    const end = valueEnd(text, at);
    items.push(text.slice(at, end < 0 ? text.length : end));
    if (end < 0) break;
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { items, whole: false };
}
