import { byteTextOf, matchAt } from './byte-text';
import { PLACEHOLDER_START } from './placeholders';
import { canBeValue, isDistinctive, isIdentifier, isMixed } from './values';
import { KEY_WORDS, PASSWORD_WORDS } from './word-rows';
import { FACT, NOT_SAID, SAID } from './writing-rows';

/** These words in both cases, where JavaScript knows the case of a letter but byte text does not. */
const bothCases = (words: readonly string[]) =>
  new Set(words.flatMap((word) => (/^[\0-\x7f]/.test(word) ? [word] : [word, word[0]!.toUpperCase() + word.slice(1)])));
const OF_PASSWORDS = new Set(Array.from(bothCases(PASSWORD_WORDS), byteTextOf));

/** Every word after which a sentence may give a secret. */
export const NOUNS: readonly string[] = [...bothCases(PASSWORD_WORDS), ...bothCases(KEY_WORDS)];

const SHORT_NOUN_CHARS = 4;

/** Returns the value that a sentence names: `The password for it is …`, `Пароль: …`. The noun stands at `at`. */
export function saidAt(
  text: string,
  at: number,
  noun: string,
): { readonly from: number; readonly to: number } | undefined {
  const said = matchAt(SAID, text, at + noun.length);
  if (!said || said[0].includes(PLACEHOLDER_START) || FACT.test(said[0])) return undefined;
  // Part of another word or of a path: monkey, acme/token.
  if (/[/.@]/.test(text[at - 1] ?? '')) return undefined;
  if (noun.length <= SHORT_NOUN_CHARS && /[a-z]/.test(text[at - 1] ?? '')) return undefined;
  const written = said[2]!;
  const value = written.replace(/[.:!?]+$/, '');
  if (!canBeValue(value) || NOT_SAID.test(value)) return undefined;
  const isPassword = OF_PASSWORDS.has(noun) && (isMixed(value) || isDistinctive(value));
  // A space alone proves little, unless a password follows.
  const isKey = /[^\s"'`]/.test(said[0]) && isDistinctive(value) && !isIdentifier(value);
  if (!isPassword && !isKey) return undefined;
  const from = at + noun.length + said[0].length;
  return { from, to: from + (/[!?]$/.test(written) ? written.length : value.length) };
}
