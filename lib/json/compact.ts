import { memberText } from './members';
import { BYTE, isSpace, skipSpace, stringEnd } from './scan';

/** Characters shown of a string inside an object or array, so that a long one leaves room for the others. */
const STRING_CHARS = 100;
/** UTF-16 units read for a string: an escape such as `\u00e4` has six per character. */
const STRING_UNITS = 6 * STRING_CHARS;

const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/**
 * Rewrites JSON in one line, with quotes only around strings: `{path: "/a", depth: 2}`. Stops after about `limit`
 * characters, so its cost does not depend on the length of the text. The text can be cut off anywhere.
 */
export function previewJson(text: string, limit: number): string {
  let compact = '';
  let at = skipSpace(text, 0);
  while (at < text.length && compact.length <= limit) {
    const code = text.charCodeAt(at);
    const end = code === BYTE.quote ? quotedEnd(text, at) : isMark(code) ? at + 1 : wordEnd(text, at);
    const next = skipSpace(text, end);
    if (code === BYTE.comma || code === BYTE.colon) compact += `${text[at]} `;
    else if (code !== BYTE.quote) compact += text.slice(at, Math.min(end, at + limit));
    else if (text.charCodeAt(next) === BYTE.colon) compact += compactName(memberText(text.slice(at, end))!);
    else compact += compactString(text.slice(at, Math.min(end, at + STRING_UNITS)));
    at = next;
  }
  return compact;
}

/** Returns the name of a member, with quotes only if it needs them. */
export function compactName(name: string): string {
  return PLAIN_NAME.test(name) ? name : JSON.stringify(name);
}

function compactString(json: string): string {
  const text = memberText(json)!;
  return JSON.stringify(text.length > STRING_CHARS ? `${text.slice(0, STRING_CHARS)}…` : text);
}

function quotedEnd(text: string, start: number): number {
  const end = stringEnd(text, start);
  return end < 0 ? text.length : end;
}

/** Returns the end of a number, word or anything else that is neither a string nor a mark. */
function wordEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !isMark(text.charCodeAt(at)) && !isSpace(text.charCodeAt(at))) at++;
  return at;
}

const MARKS: ReadonlySet<number> = new Set([
  BYTE.comma,
  BYTE.colon,
  BYTE.openArray,
  BYTE.closeArray,
  BYTE.openObject,
  BYTE.closeObject,
]);

function isMark(code: number): boolean {
  return MARKS.has(code);
}
