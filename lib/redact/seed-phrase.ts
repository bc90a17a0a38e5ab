import { sticky } from './sticky';

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
  const found = sticky(HERE, text, at)?.[0];
  return found === undefined
    ? undefined
    : { from: at + found.length - found.replace(/^[\s\\"'`>]+/, '').length, to: at + found.length };
}
