import { readableText } from './byte-text';
import type { SecretName } from './name-rows';
import { isPair } from './shapes';
import { FOLDER, PLAIN, PLAIN_NUMBER } from './value-rows';
import { canBeValue, isDistinctive, isIdentifier, isLabel, isRandom, isWords } from './values';

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
export const LEAST_WEAK_CHARS = 12;

/** Returns true if a value with this name is a secret. */
export function isSecretValue(value: string, { rule, grade, pair, orFolder }: SecretName, tie: Tie): boolean {
  if (!canBeValue(value) || (orFolder && FOLDER.test(value))) return false;
  if (pair) return isPair(value);
  if (grade === 'weak') {
    if (rule === 'password') return /^\w{4,}$/.test(value) && /\d/.test(value);
    return rule === 'secret-name' ? isOfBothCases(value) : value.length >= LEAST_WEAK_CHARS && isDistinctive(value);
  }
  if (tie === 'words')
    return (
      /\d/.test(value) &&
      !/[:=@/]|^[*&]|^[a-z]\w*\.[A-Z]\w+$/.test(value) &&
      (isOfMachine(value) || (rule === 'password' && isMixed(value)))
    );
  if (grade === 'sure' && tie === 'setting') return true;
  if (grade === 'sure' && tie === 'data') return !isLabel(readableText(value));
  if (grade === 'sure') return !isWords(value) && !isExpression(value) && !/^[\d.,:/%+-]{1,5}$/.test(value);
  if (PLAIN_NUMBER.test(value) || (isWords(value) && /[\s\x80-\uffff]/.test(value))) return false;
  if (
    value.length < (tie === 'setting' ? LEAST_SETTING_CHARS : LEAST_TOKEN_CHARS) ||
    // Passphrases are words with a number.
    (isIdentifier(value) && !(tie === 'setting' && /\d/.test(value))) ||
    !/(?:[A-Za-z\d].{0,8}){3}/.test(value)
  )
    return false;
  if (tie === 'prose') return isDistinctive(value) && !isExpression(value);
  return !PLAIN.test(value);
}

/** Matches expressions of code: `a.b`, `f(`, `x[0]`, and versions and ranges. */
const EXPRESSION = /^(?:[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|[A-Za-z_$][\w.$]*[([])/;

/** Returns true for random text that is not an id in one case. */
function isOfBothCases(value: string): boolean {
  return isRandom(value) || (value.length >= 16 && isDistinctive(value) && /[a-z]/.test(value) && /[A-Z]/.test(value));
}

/** Returns true for random text and hex. */
function isOfMachine(value: string): boolean {
  return (
    isRandom(value) || /^[0-9a-f]{20,}$/i.test(value) || (value.length >= LEAST_WEAK_CHARS && isDistinctive(value))
  );
}

function isExpression(value: string): boolean {
  return EXPRESSION.test(value) && (isIdentifier(value) || !/^[\w.]*$/.test(value));
}

/** Returns true for letters and digits together, as in a password that a person made. */
export function isMixed(value: string): boolean {
  if (value.length < LEAST_TOKEN_CHARS || !/[A-Za-z].*[A-Za-z]/.test(value) || /^v\d|[()<>{}[\]]/.test(value))
    return false;
  return /\d/.test(value) || (/[^\w\s.,:;'"/-]/.test(value) && !isIdentifier(value));
}
