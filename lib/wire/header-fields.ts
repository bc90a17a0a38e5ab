import { HIDDEN_CHARACTERS } from './control-characters';

/** Headers that HTTP itself sets. A wrong one breaks or smuggles requests. */
const RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible ASCII, spaces and tabs: every HTTP stack carries these unchanged. */
const NOT_CARRIED = /[^\t\x20-\x7e]/u;
/** Characters that can't be seen, or that change how the text around them is shown. */
const INVISIBLE = new RegExp(`[${HIDDEN_CHARACTERS}\\n\\s]`, 'u');

/** Returns true for a valid header name, or a part of one (RFC 9110, token). */
export function isHeaderToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns why the user can't send this header, with advice; undefined if they can. */
export function headerProblem(name: string, value: string): string | undefined {
  const shown = JSON.stringify(name);
  if (!TOKEN.test(name)) return `${shown} is not a valid header name. Use letters, digits and hyphens.`;
  if (RESERVED.has(name.toLowerCase())) return `HTTP itself sets the header ${shown}. Remove it.`;
  const [character] = NOT_CARRIED.exec(value) ?? [];
  if (character === undefined) return undefined;
  return `The value of the header ${shown} contains ${nameOf(character)}, which HTTP headers can’t carry. Use only ASCII characters.`;
}

/** Names a character: `é (U+00E9)`, or `U+200B` if it can't be seen. */
function nameOf(character: string): string {
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  return INVISIBLE.test(character) ? code : `${character} (${code})`;
}
