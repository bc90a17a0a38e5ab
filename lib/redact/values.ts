import { isMasked } from './placeholders';
import { HARMLESS_NUMBER, LABEL_NOUN, MNEMONIC, NO_VALUE, PAIRS, PROTOCOL_WORD } from './value-rows';

/** Returns true if a text can be a secret's value: not an example, a template, or a removed value. */
export function canBeValue(text: string): boolean {
  return text.length > 0 && /[^\s"'`,;:()[\]{}<>|=/\\$]/.test(text) && !isStandIn(text) && !isMasked(text);
}

function isStandIn(text: string): boolean {
  return NO_VALUE.test(text.length > 200 ? text.slice(0, 200) : text);
}

/** Shorter parts of a name may be abbreviations. */
const SHORT_WORD_CHARS = 4;
/** Share of pairs that are usual. */
const USUAL = 0.75;

/** Returns true for letters that may be a word, of one case or capitalised. */
function isWord(letters: string): boolean {
  const word = letters.toLowerCase();
  if (word.length < SHORT_WORD_CHARS) return true;
  let usual = 0;
  for (let at = 1; at < word.length; at++) if (PAIRS.has(word.slice(at - 1, at + 1))) usual++;
  return usual >= (word.length <= SHORT_WORD_CHARS + 1 ? word.length - 2 : USUAL * (word.length - 1));
}

/** Longer texts are judged by their beginning. */
const JUDGED_CHARS = 400;
const NOT_ASCII = /[^\0-\x7f]{2,}/g;

/** Returns true for words without digits: prose, a label, a name in any case. Other scripts count as words. */
export function isWords(text: string): boolean {
  const judged = text.slice(0, JUDGED_CHARS).replace(NOT_ASCII, ' ');
  if (/[^A-Za-z\s'’"“”„_.,:;!?()/…-]/.test(judged)) return false;
  return partsOf(judged).every(isWord);
}

/** Returns true for words and short numbers with signs between them: `color-gray-100`, `my-app/v2`. */
export function isIdentifier(text: string): boolean {
  const judged = text.slice(0, JUDGED_CHARS).replace(NOT_ASCII, ' ');
  if (/[^A-Za-z0-9\s'"_.,:;!?()/@#-]/.test(judged)) return false;
  if (!/[A-Za-z]{4}/.test(judged)) return false;
  const parts = judged.split(/[^A-Za-z0-9]+/);
  if (!parts.every((part) => /^(?:v?\d{0,4}|[A-Za-z]+\d?)$/.test(part))) return false;
  const words = parts.flatMap(partsOf);
  return words.some((word) => word.length >= SHORT_WORD_CHARS) && words.every(isWord);
}

/** Splits words at signs, digits and changes of case. */
function partsOf(text: string): readonly string[] {
  const parts = text.replace(/([a-z])([A-Z])/g, '$1 $2').match(/[A-Za-z]+/g) ?? [];
  // Random text in mixed case falls into short pieces. It is judged as one word.
  const short = parts.filter((part) => part.length < SHORT_WORD_CHARS).length;
  return parts.length > 3 && short > parts.length / 2 && !/\s/.test(text) ? [parts.join('')] : parts;
}

/** Characters of a value that can be looked for alone, with letters and digits, and of any other. */
const MIXED_CHARS = 6;
const DISTINCTIVE_CHARS = 8;
const MIXED = /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d]+$/;

/**
 * Returns true for a value that is unlikely to be a word of any language or protocol. Such a value can be looked for
 * alone, and counts as a secret where a name or scheme proves little.
 */
export function isDistinctive(text: string): boolean {
  if (!isUnusual(text, MIXED.test(text) ? MIXED_CHARS : DISTINCTIVE_CHARS) || isPath(text)) return false;
  return !isIdentifier(text) || (text.length >= DISTINCTIVE_CHARS && isRandom(text));
}

/** Returns true if a value that a name or shape makes a secret can be looked for alone, without hitting words. */
export function isSearchable(text: string): boolean {
  if (MNEMONIC.test(text) || isDistinctive(text)) return true;
  return /\d/.test(text) && /[A-Za-z]/.test(text) && isUnusual(text, DISTINCTIVE_CHARS);
}

function isUnusual(text: string, least: number): boolean {
  if (text.length < least || !canBeValue(text) || HARMLESS_NUMBER.test(text) || PROTOCOL_WORD.test(text)) return false;
  return !isWords(text);
}

/** Paths, and URLs without a query. Parts of a path are words. */
function isPath(text: string): boolean {
  if (!/^(?:[a-z][a-z+.-]*:\/\/|\.{0,2}\/|~\/|[A-Za-z]:\\)/i.test(text)) return false;
  return text.split(/[/\\]/).every((part) => !isRandom(part));
}

/** Bits of entropy per character. Words, paths and identifiers have fewer. */
const RANDOM_BITS = 3.8;
const SHORT_OF_ALL = 0.45;
/** A shorter text with a word in it is a name. */
const SHORT_CHARS = 20;

/** Returns true for a mixture of digits and letters of both cases that is not a digest, a hex id or a path. */
export function isRandom(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text) || /\s/.test(text)) return false;
  if (/^[0-9a-fA-F-]+$/.test(text) || text.split(/[/_-]/).length > 3) return false;
  if (text.length < SHORT_CHARS && /[a-z]{6}/.test(text)) return false;
  const counts = new Map<number, number>();
  let repeated = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const count = counts.get(code) ?? 0;
    counts.set(code, count + 1);
    if (count > 0) repeated += (count + 1) * Math.log2(count + 1) - count * Math.log2(count);
  }
  const bits = Math.log2(text.length) - repeated / text.length;
  // A short text with repeated characters cannot reach RANDOM_BITS.
  return bits >= Math.min(RANDOM_BITS, Math.log2(text.length) - SHORT_OF_ALL);
}

/** Returns true for what a form calls a field, such as `Enter your password`. `text` is readable. */
export function isLabel(text: string): boolean {
  if (!isWords(text)) return false;
  return /[^\0-\x7f]/.test(text) || LABEL_NOUN.test(text) || (/\s/.test(text) && /^[A-Z]|[.?!…:]$/.test(text));
}

/** Returns true for letters and digits together, as in a password that a person made. */
export function isMixed(value: string): boolean {
  if (value.length < MIXED_CHARS || !/[A-Za-z].*[A-Za-z]/.test(value) || /^v\d|[()<>{}[\]]/.test(value)) return false;
  return /\d/.test(value) || (/[^\w\s.,:;'"/-]/.test(value) && !isIdentifier(value));
}
