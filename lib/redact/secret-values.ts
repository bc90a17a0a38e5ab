import { decodedText } from './byte-text';
import type { SecretName } from './name-rows';
import { isUserAndPassword } from './shapes';
import { FOLDER_PATH, HARMLESS_NUMBER, PLAIN } from './value-rows';
import { canBeValue, isDistinctive, isIdentifier, isLabel, isMixed, isRandom, isWords } from './values';

/**
 * How closely a name and a value are tied. In a `setting` (a variable, an option, a header), any text is a value. In
 * `data` (JSON, quoted text), it may be a label. In `prose`, it may be the rest of a sentence or an expression. `words`
 * in between prove little.
 */
export type Tie = 'setting' | 'data' | 'prose' | 'words';

/** Characters that a token has at least, if its name is not a sure one. */
const LEAST_TOKEN_CHARS = 6;
/** In a setting. */
const LEAST_SETTING_CHARS = 4;
/** And if its name is a weak one. */
const LEAST_WEAK_CHARS = 12;

/** Returns true if a value with this name is a secret. */
export function isSecretValue(value: string, { rule, grade, pair, orFolder }: SecretName, tie: Tie): boolean {
  if (!canBeValue(value) || (orFolder && FOLDER_PATH.test(value))) return false;
  if (pair) return isUserAndPassword(value);
  if (grade === 'weak') {
    if (rule === 'password') return /^\w{4,}$/.test(value) && /\d/.test(value);
    // An id in one case may be anything.
    if (rule === 'secret-name' && !isRandom(value) && !/[a-z].*[A-Z]|[A-Z].*[a-z]/.test(value)) return false;
    return isLongToken(value);
  }
  if (tie === 'words')
    return (
      /\d/.test(value) &&
      !/[:=@/]|^[*&]|^[a-z]\w*\.[A-Z]\w+$/.test(value) &&
      (isLongToken(value) || (rule === 'password' && isMixed(value)))
    );
  if (grade === 'sure' && tie === 'setting') return true;
  if (grade === 'sure' && tie === 'data') return !isLabel(decodedText(value));
  if (grade === 'sure') return !isWords(value) && !/^[\d.,:/%+-]{1,5}$/.test(value);
  if (HARMLESS_NUMBER.test(value) || (isWords(value) && /[\s\x80-\uffff]/.test(value))) return false;
  if (
    value.length < (tie === 'setting' ? LEAST_SETTING_CHARS : LEAST_TOKEN_CHARS) ||
    // Passphrases are words with a number.
    (isIdentifier(value) && !(tie === 'setting' && /\d/.test(value))) ||
    !/(?:[A-Za-z\d].{0,8}){3}/.test(value)
  )
    return false;
  if (tie === 'prose') return isDistinctive(value);
  return !PLAIN.test(value);
}

/** Returns true for a value that is a secret after a name that proves little. */
export function isLongToken(value: string): boolean {
  return value.length >= LEAST_WEAK_CHARS && isDistinctive(value);
}
