import { quote } from 'shlex';
import { HIDDEN_CHARACTERS } from '@/lib/wire/hidden-characters';

/**
 * Control characters, and what turns or hides text: a terminal would act on them as they are pasted. The typographic quotes
 * too: PowerShell takes them for its own.
 */
const UNPRINTABLE = new RegExp(`[${HIDDEN_CHARACTERS}\\t\\n\\u200c\\u200d\\u2018-\\u201f]`, 'gu');

/**
 * One word for a POSIX shell; what can't be printed as an escape, which bash and zsh read. In a shell that doesn't it is still
 * one word: no quote stands within the quotes.
 */
export function shellQuote(text: string): string {
  // zsh looks for a command of the name after a first `=`.
  if (text.search(UNPRINTABLE) < 0 && !text.startsWith('=')) return quote(text);
  return `$'${text.replace(/[\\']/g, escaped).replace(UNPRINTABLE, escaped)}'`;
}

/** As bytes, and not as a code point: shells make those of the locale's encoding. */
function escaped(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
