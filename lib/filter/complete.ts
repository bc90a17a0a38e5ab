import { LIMITS } from '@/lib/wire/limits';
import type { FilterKey } from './keys/filter-key';
import { KEYS } from './keys/registry';
import { printFilter } from './print';
import { fieldTerm, writtenValue } from './terms';
import { type Token, tokenize } from './tokens';

/** Something that may stand where the caret is. */
export interface CompletionOption {
  /** What is put there. */
  readonly text: string;
  readonly note?: string;
}

/** What may take the place of the characters [from, to). */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly options: readonly CompletionOption[];
}

/** Values of a key that the log has. */
interface Words {
  valuesOf(key: FilterKey): readonly string[];
}

/** What is being typed at the caret: a word that may become a key or a value, or the value of a key. */
interface Typed {
  readonly from: number;
  readonly to: number;
  readonly word: string;
  readonly key?: FilterKey;
}

/** What may be typed at the caret: keys, and values that are known or that the log has. */
export function complete(text: string, caret: number, words: Words): Completion {
  const typed = typedAt(text, caret);
  if (!typed) return { from: caret, to: caret, options: [] };
  const { from, to, word, key } = typed;
  const options = key
    ? valueOptions(key, word, words)
    : [...keyOptions(word), ...(word.length > 1 ? anyValue(word, words) : [])];
  // What stands there already is no offer.
  const others = options.filter((option) => option.text !== text.slice(from, to));
  return { from, to, options: others.slice(0, LIMITS.filterOptions) };
}

function typedAt(text: string, caret: number): Typed | undefined {
  const token = tokenize(text.slice(0, caret)).at(-1);
  const whole = tokenize(text).find(({ at, end }) => at === token?.at && end >= caret);
  const to = whole && whole.type !== 'fault' ? whole.end : caret;
  if (!token || token.end < caret || token.type === 'open' || token.type === 'minus')
    return { from: caret, to: caret, word: '' };
  if (token.type === 'or' || token.type === 'and' || token.type === 'not')
    return { from: token.at, to, word: text.slice(token.at, caret) };
  if (token.type === 'text') return text[token.at] === '"' ? undefined : { from: token.at, to, word: token.text };
  return fieldAt(token, text, to);
}

function fieldAt(token: Token, text: string, to: number): Typed | undefined {
  if (token.type === 'field') {
    const key = KEYS.get(token.key);
    return key && { from: token.at, to, word: token.value, key };
  }
  // A quote after the colon that is not closed yet.
  const key = token.type === 'fault' ? /([a-z-]+):$/i.exec(text.slice(0, token.at)) : null;
  const known = KEYS.get(key?.[1]?.toLowerCase() ?? '');
  if (!known || !key) return undefined;
  return { from: key.index, to: token.end, word: text.slice(token.at + 1, token.end), key: known };
}

function keyOptions(word: string): CompletionOption[] {
  const lower = word.toLowerCase();
  return [...KEYS.values()]
    .filter(({ name }) => name.startsWith(lower))
    .map(({ name, meaning }) => ({ text: `${name}:`, note: meaning }));
}

/** Values that begin with what is typed come first. No more of them are written out than are shown. */
function valueOptions(key: FilterKey, typed: string, words: Words): CompletionOption[] {
  const lower = typed.toLowerCase();
  const known = new Map(key.suggestions.map(({ value, note }) => [value, note]));
  const begin: string[] = [];
  const within: string[] = [];
  for (const value of [...words.valuesOf(key).filter((one) => !known.has(one)), ...known.keys()]) {
    const at = value.toLowerCase().indexOf(lower);
    if (at === 0) begin.push(value);
    else if (at > 0) within.push(value);
  }
  // One more than is shown: what stands there already may be among them.
  return [...begin, ...within].slice(0, LIMITS.filterOptions + 1).map((value) => {
    const note = known.get(value);
    const text = known.has(value) ? writtenValue(key.name, value) : printFilter(fieldTerm(key.name, value));
    return { text, ...(note !== undefined && { note }) };
  });
}

/** Values of every key that takes words. A name is offered with the key that says whose. */
function anyValue(word: string, words: Words): CompletionOption[] {
  return [...KEYS.values()]
    .filter(({ bare, name }) => !bare && name !== 'name')
    .flatMap((key) => valueOptions(key, word, words));
}
