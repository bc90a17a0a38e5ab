import { matchAt } from './byte-text';
import { isMasked } from './placeholders';
import { isRandom } from './weak-shapes';

/** What stands where a value would, in examples, types and templates. */
const NO_VALUE =
  /^(?:true|false|null|undefined|none|nil|string|number|boolean|object|array|required|optional|yes|no|redacted|hidden|masked|[*x.-]+|<[^>\d]*>|<[^>\s]*\s[^>]*>|<[^>]{0,11}>|\$[A-Z_]+|\{\{.*\}\}|%[sd])$/i;

/** True for what can be a secret's value at all: no example, template, or place where one was taken out. */
export function canBeValue(text: string): boolean {
  return text.length > 0 && !NO_VALUE.test(text) && !isVariable(text) && !isMasked(text);
}

/** `${NAME}`, unless what is within is no name of anything. */
function isVariable(text: string): boolean {
  const [, name] = /^\$\{([^}]*)\}$/.exec(text) ?? [];
  return name !== undefined && !isRandom(name) && !/^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/.test(name);
}

/** At most this long without a digit or a sign that words have not, a value may be words. */
export const WORDS_CHARS = 24;
const DATE = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/;

/**
 * True for a value that is unlikely to be a word of any language or protocol: it can be looked for by itself, and where a
 * name or a scheme alone does not prove it a secret.
 */
export function isDistinctive(text: string): boolean {
  if (text.length < 8 || !canBeValue(text) || DATE.test(text) || isProtocolWord(text)) return false;
  if (text.length < WORDS_CHARS) return /[^A-Za-z/_.:, -]/.test(text);
  return !/\s/.test(text) || /\d/.test(text) || isSeedPhrase(text);
}

/** Of requests and notifications: a table of all of them would be in every page that is shared. */
const METHOD =
  /^(?:completion|elicitation|logging|notifications|prompts|resources|roots|sampling|server|subscriptions|tasks|tools)\/[a-zA-Z_/]{1,40}$/;
const SPEC_KEY = /^io\.modelcontextprotocol\//;
const MEDIA_TYPE = /^(?:application|text|image|audio|video)\/[a-z0-9.+-]{1,60}$/;

/**
 * True for what the protocol itself says in every message: methods, keys of `_meta`, media types. A server that has one stand where a secret
 * would, by chance or on purpose, must not have it taken out of all later messages.
 */
export function isProtocolWord(text: string): boolean {
  return METHOD.test(text) || SPEC_KEY.test(text) || MEDIA_TYPE.test(text);
}

/** A word as BIP-39 has them. Its list of 2,048 is not here: so many such words and nothing else, behind their name, are no prose. */
const WORD = '[a-z]{3,8}';
const BETWEEN = '(?:[ \\t]{1,3}|[ \\t]{0,3},[ \\t]{0,3}|[ \\t]{0,3}\\r?\\n[ \\t]{0,8})(?:\\d{1,2}[.):]?[ \\t]{1,3})?';
const LENGTHS = [24, 21, 18, 15, 12];
const WORDS = `(?:1[.):]?[ \\t]{1,3})?(?:${LENGTHS.map((length) => `(?:${WORD}${BETWEEN}){${length - 1}}${WORD}(?=[ \\t]*(?:$|["'\`.;<\\\\}\\])\\r\\n]))`).join('|')})`;
const WHOLE = new RegExp(`^\\s{0,8}${WORDS}\\s{0,8}$`);
const HERE = new RegExp(`\\s{0,8}(?:\\\\{0,7}["'\`]|>[ \\t])?${WORDS}`, 'y');

/** True for a text that is nothing but the 12, 15, 18, 21 or 24 words of a wallet's seed. */
export function isSeedPhrase(text: string): boolean {
  return WHOLE.test(text);
}

/** Where the words are that begin at a place, a quote perhaps before them; undefined if there are none. */
export function seedPhraseAt(text: string, at: number): { readonly from: number; readonly to: number } | undefined {
  const found = matchAt(HERE, text, at)?.[0];
  return found === undefined
    ? undefined
    : { from: at + found.length - found.replace(/^[\s\\"'`>]+/, '').length, to: at + found.length };
}
