import type { FilterKey, FilterSubject } from './keys/filter-key';
import { KEYS } from './keys/registry';
import { type Token, tokenize } from './parse';
import { fieldTerm, printFilter, writtenValue } from './print';

/** Values of a key that a log is searched for, in how many rows at a time, and how many are offered at once. */
export const FILTER_VOCABULARY = 5000;
const FILTER_VOCABULARY_ROWS = 100_000;
export const FILTER_OPTIONS = 60;

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
interface ValueSource {
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
export function complete(text: string, caret: number, words: ValueSource): Completion {
  const typed = typedAt(text, caret);
  if (!typed) return { from: caret, to: caret, options: [] };
  const { from, to, word, key } = typed;
  const options = key
    ? valueOptions(key, word, words)
    : [...keyOptions(word), ...(word.length > 1 ? anyValue(word, words) : [])];
  // What stands there already is no offer.
  const others = options.filter((option) => option.text !== text.slice(from, to));
  return { from, to, options: others.slice(0, FILTER_OPTIONS) };
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
function valueOptions(key: FilterKey, typed: string, words: ValueSource): CompletionOption[] {
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
  return [...begin, ...within].slice(0, FILTER_OPTIONS + 1).map((value) => {
    const note = known.get(value);
    const text = known.has(value) ? writtenValue(key.name, value) : printFilter(fieldTerm(key.name, value));
    return { text, ...(note !== undefined && { note }) };
  });
}

/** Values of every key that takes words. A name is offered with the key that says whose. */
function anyValue(word: string, words: ValueSource): CompletionOption[] {
  return [...KEYS.values()]
    .filter(({ bare, name }) => !bare && name !== 'name')
    .flatMap((key) => valueOptions(key, word, words));
}

interface SeenValues {
  /** By number in the log's pool. */
  readonly numbers: Set<number>;
  /** Rows looked at. */
  rows: number;
  /** The values, as of so many numbers. */
  sorted: readonly string[];
}

/** The values that a log's rows have, by key, for completion. Each row is looked at once a key. */
export class LogValues {
  readonly #subject: FilterSubject;
  readonly #seen = new Map<FilterKey, SeenValues>();

  constructor(subject: FilterSubject) {
    this.#subject = subject;
  }

  /** Values of a key, in order of the alphabet. Of very many the first found; a long log is gone through in several calls. */
  valuesOf(key: FilterKey): readonly string[] {
    const { columns, size } = this.#subject.log;
    if (!key.numberOf) return key.logValues?.(this.#subject) ?? [];
    const seen = this.#seen.get(key) ?? { numbers: new Set(), rows: 0, sorted: [] };
    this.#seen.set(key, seen);
    let last = 0;
    const end = Math.min(size, seen.rows + FILTER_VOCABULARY_ROWS);
    for (; seen.rows < end && seen.numbers.size < FILTER_VOCABULARY; seen.rows++) {
      const number = key.numberOf(this.#subject, seen.rows);
      // Floods are of the same.
      if (number === last || number === 0) continue;
      last = number;
      seen.numbers.add(number);
    }
    if (seen.sorted.length < seen.numbers.size) {
      seen.sorted = [...seen.numbers].map((number) => columns.pooledText(number)!).sort();
    }
    return seen.sorted;
  }
}

/** What may be written besides keys: the text, and what it means. */
export const SYNTAX_HELP: readonly (readonly [text: string, meaning: string])[] = [
  ['word', 'The row says it in its message or status, or its frame has it somewhere, in upper or lower case'],
  [
    '"two words"',
    'The same for a text with spaces, or one that means something here; `\\"` and `\\\\` stand for `"` and `\\`',
  ],
  ['/regex/i', 'The frame’s text has what the expression finds, as in JavaScript; flags i, m, s, u'],
  ['key:value', 'Something about the row is so. In a word, `*` is any number of characters; in quotes it is itself'],
  ['a b', 'Both; `and` may be written between them'],
  ['a or b', 'One of them; what stands side by side binds closer'],
  ['(a or b) c', 'Parentheses hold together'],
  ['-a', 'Not that: right before a word, a key or a parenthesis. Two hyphens begin a word: `--verbose`'],
  ['not a', 'The same; to look for the word, quote it'],
];

/** How numbers are written, for keys that take them. */
export const NUMBER_HELP: readonly (readonly [text: string, meaning: string])[] = [
  ['>5kb >=5kb <5kb <=5kb', 'More, at least, less, at most'],
  ['5kb..10kb', 'From the one to the other, both in it; either may be left out: `5kb..`, `..10kb`'],
  ['5kb', 'All that begins so, up to the next value of the last digit: from 5 to under 6 kB'],
  ['b kb mb gb', 'Sizes, powers of 1000 as they are shown; a bare number is bytes'],
  ['us ms s m h', 'Times, which need a unit; several may follow one another: `1m30s`'],
];
