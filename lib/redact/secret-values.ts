import { matchAt } from './byte-text';
import { isMasked } from './placeholders';

/** Matches text that replaces a value in examples, types and templates. */
const NO_VALUE =
  /^(?:true|false|null|undefined|none|nil|string|number|boolean|object|array|required|optional|yes|no|redacted|hidden|masked|[*x.-]+|<[^>\d]*>|<[^>\s]*\s[^>]*>|<[^>]{0,11}>|\$[A-Z_]+|\{\{.*\}\}|%[sd])$/i;

/** Returns true if a text can be a secret's value: not an example, a template, or a removed value. */
export function canBeValue(text: string): boolean {
  return text.length > 0 && !NO_VALUE.test(text) && !isVariable(text) && !isMasked(text);
}

/** Returns true for `${NAME}`, unless its content looks like a value. */
function isVariable(text: string): boolean {
  const [, name] = /^\$\{([^}]*)\}$/.exec(text) ?? [];
  return name !== undefined && !isRandom(name) && !/^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/.test(name);
}

/** A shorter value without digits or signs may be plain words. */
export const WORDS_CHARS = 24;
const DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/;

/**
 * Returns true for a value that is unlikely to be a word of any language or protocol. Such a value can be looked for
 * alone, and counts as a secret where a name or scheme proves nothing.
 */
export function isDistinctive(text: string): boolean {
  if (text.length < 8 || !canBeValue(text) || DATE.test(text) || isProtocolWord(text)) return false;
  if (text.length < WORDS_CHARS) return /[^A-Za-z/_.:, -]/.test(text);
  return !/\s/.test(text) || /\d/.test(text) || isSeedPhrase(text);
}

/** Methods by prefix. A list of all of them would be in every shared page. */
const METHOD =
  /^(?:completion|elicitation|logging|notifications|prompts|resources|roots|sampling|server|subscriptions|tasks|tools)\/[a-zA-Z_/]{1,40}$/;
const SPEC_KEY = /^io\.modelcontextprotocol\//;
const MEDIA_TYPE = /^(?:application|text|image|audio|video)\/[a-z0-9.+-]{1,60}$/;

/**
 * Returns true for text that the protocol itself uses: methods, keys of `_meta`, media types. If a server sends such a
 * word where a secret is expected, it must not be masked in later messages.
 */
export function isProtocolWord(text: string): boolean {
  return METHOD.test(text) || SPEC_KEY.test(text) || MEDIA_TYPE.test(text);
}

/** Bits of entropy per character. Words, paths and identifiers have fewer. */
const RANDOM_BITS = 3.8;
const SHORT_OF_ALL = 0.45;
/** A shorter text with a word in it is a name. */
const SHORT_CHARS = 20;

/** Returns true for a mixture of digits and letters of both cases that is not a digest, a hex id or a path. */
export function isRandom(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text)) return false;
  if (/^[0-9a-fA-F-]+$/.test(text) || text.split(/[/_-]/).length > 3) return false;
  if (text.length < SHORT_CHARS && /[a-z]{6}/.test(text)) return false;
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  // A short text with repeated characters cannot reach RANDOM_BITS.
  return bits >= Math.min(RANDOM_BITS, Math.log2(text.length) - SHORT_OF_ALL);
}

/**
 * Matches a word like those of BIP-39. The list of its 2,048 words is not needed: exactly 12 to 24 such words after a
 * fitting name are not prose.
 */
const WORD = '[a-z]{3,8}';
const BETWEEN = '(?:[ \\t]{1,3}|[ \\t]{0,3},[ \\t]{0,3}|[ \\t]{0,3}\\r?\\n[ \\t]{0,8})(?:\\d{1,2}[.):]?[ \\t]{1,3})?';
const LENGTHS = [24, 21, 18, 15, 12];
const WORDS = `(?:1[.):]?[ \\t]{1,3})?(?:${LENGTHS.map((length) => `(?:${WORD}${BETWEEN}){${length - 1}}${WORD}(?=[ \\t]*(?:$|["'\`.;<\\\\}\\])\\r\\n]))`).join('|')})`;
const WHOLE = new RegExp(`^\\s{0,8}${WORDS}\\s{0,8}$`);
const HERE = new RegExp(`\\s{0,8}(?:\\\\{0,7}["'\`]|>[ \\t])?${WORDS}`, 'y');

/** Returns true for text that is exactly the 12, 15, 18, 21 or 24 words of a wallet's seed. */
export function isSeedPhrase(text: string): boolean {
  return WHOLE.test(text);
}

/** Returns where seed words start at a place, after an optional quote; undefined if there are none. */
export function seedPhraseAt(text: string, at: number): { readonly from: number; readonly to: number } | undefined {
  const found = matchAt(HERE, text, at)?.[0];
  return found === undefined
    ? undefined
    : { from: at + found.length - found.replace(/^[\s\\"'`>]+/, '').length, to: at + found.length };
}
