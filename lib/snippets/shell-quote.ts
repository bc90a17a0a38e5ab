import { quote } from 'shlex';

/** Control characters, and what turns or hides text: a terminal would act on them as they are pasted. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** One word for a POSIX shell; what can't be printed as an escape, which bash and zsh read. */
export function shellQuote(text: string): string {
  if (text.search(UNPRINTABLE) < 0) return quote(text);
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(UNPRINTABLE, (character) => Array.from(new TextEncoder().encode(character), byteEscape).join(''));
  return `$'${escaped}'`;
}

/** A byte, and not a code point: shells make those of the locale's encoding. */
function byteEscape(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}
