import type { FilterKey, FilterSubject } from './keys/filter-key';
import { FILTER_KEYS } from './keys/registry';
import { type FilterToken, tokenize } from './language/grammar';
import { fieldTerm, printFilter, writtenValue } from './print';

/** Most values collected per key. */
export const FILTER_VOCABULARY = 5000;
/** Rows visited per call, so that a key press stays fast. */
const FILTER_VOCABULARY_ROWS = 100_000;
/** Most completions offered at once. */
export const FILTER_OPTIONS = 60;

/** A completion offered at the caret. */
interface CompletionOption {
  readonly text: string;
  readonly note?: string;
}

/** The completions that may replace the characters [from, to). */
export interface FilterCompletion {
  readonly from: number;
  readonly to: number;
  readonly options: readonly CompletionOption[];
}

interface ValueSource {
  valuesOf(key: FilterKey): readonly string[];
}

/** The text being typed at the caret: a word that may become a key or a value, or the value of a key. */
interface Typed {
  readonly from: number;
  readonly to: number;
  readonly word: string;
  readonly key?: FilterKey;
}

/**
 * Returns completions at the caret: keys, predefined values and values found in the log. `only`: names of the keys to
 * offer.
 */
export function completeFilter(
  text: string,
  caret: number,
  words: ValueSource,
  only?: ReadonlySet<string>,
): FilterCompletion {
  const typed = typedAt(text, caret);
  if (!typed || (typed.key && only?.has(typed.key.name) === false)) return { from: caret, to: caret, options: [] };
  const { from, to, word, key } = typed;
  const keys = [...FILTER_KEYS.values()].filter(({ name }) => only === undefined || only.has(name));
  const options = key
    ? valueOptions(key, word, words)
    : [...keyOptions(word, keys), ...(word.length > 1 ? anyValue(word, keys, words) : [])];
  // Don't offer the text that is already there.
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

function fieldAt(token: FilterToken, text: string, to: number): Typed | undefined {
  if (token.type === 'field') {
    const key = FILTER_KEYS.get(token.key);
    return key && { from: token.at, to, word: token.value, key };
  }
  // The value starts with a quote that is not closed yet.
  const key = token.type === 'fault' ? /([a-z-]+):$/i.exec(text.slice(0, token.at)) : null;
  const known = FILTER_KEYS.get(key?.[1]?.toLowerCase() ?? '');
  if (!known || !key) return undefined;
  return { from: key.index, to: token.end, word: text.slice(token.at + 1, token.end), key: known };
}

function keyOptions(word: string, keys: readonly FilterKey[]): CompletionOption[] {
  const lower = word.toLowerCase();
  return keys
    .filter(({ name }) => name.startsWith(lower))
    .map(({ name, meaning }) => ({ text: `${name}:`, note: meaning }));
}

/**
 * Returns matching values of a key, those that start with the typed text first. Formats only as many as are offered.
 */
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
  // One extra, because the text that is already there may be among them.
  return [...begin, ...within].slice(0, FILTER_OPTIONS + 1).map((value) => {
    const note = known.get(value);
    const text = known.has(value) ? writtenValue(key.name, value) : printFilter(fieldTerm(key.name, value));
    return { text, ...(note !== undefined && { note }) };
  });
}

/**
 * Returns matching values of every key that takes words. Offers names under `tool:`, `prompt:` and `uri:` instead of
 * `name:`.
 */
function anyValue(word: string, keys: readonly FilterKey[], words: ValueSource): CompletionOption[] {
  return keys
    .filter(({ numeric, name }) => !numeric && name !== 'name')
    .flatMap((key) => valueOptions(key, word, words));
}

interface SeenValues {
  /** Numbers in the log's string pool. */
  readonly numbers: Set<number>;
  /** Rows visited so far. */
  rows: number;
  /** The values in alphabetical order; rebuilt when `numbers` has grown. */
  sorted: readonly string[];
}

/** The values of a log's rows by key, for completion. Visits each row once per key. */
export class LogValues {
  readonly #subject: FilterSubject;
  readonly #seen = new Map<FilterKey, SeenValues>();

  constructor(subject: FilterSubject) {
    this.#subject = subject;
  }

  /**
   * Returns values of a key in alphabetical order, up to `FILTER_VOCABULARY`. A long log is visited over several
   * calls.
   */
  valuesOf(key: FilterKey): readonly string[] {
    const { columns, size } = this.#subject.log;
    if (!key.numberOf) return key.logValues?.(this.#subject) ?? [];
    const seen = this.#seen.get(key) ?? { numbers: new Set(), rows: 0, sorted: [] };
    this.#seen.set(key, seen);
    let last = 0;
    const end = Math.min(size, seen.rows + FILTER_VOCABULARY_ROWS);
    for (; seen.rows < end && seen.numbers.size < FILTER_VOCABULARY; seen.rows++) {
      const number = key.numberOf(this.#subject, seen.rows);
      // Neighbouring rows often share a value.
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

/** Syntax other than keys, for the help. */
export const SYNTAX_HELP: readonly (readonly [text: string, meaning: string])[] = [
  ['word', 'Text in the message, the status or anywhere in the frame. Case does not matter'],
  ['"two words"', 'Text with spaces or special characters. Write `\\"` for `"` and `\\\\` for `\\`'],
  ['/regex/i', 'JavaScript regular expression, searched in the frame’s text. Flags: i, m, s, u'],
  ['key:value', 'A property of the row. `*` matches any characters, except in quotes'],
  ['a b', 'Both. `and` is optional'],
  ['a or b', 'Either. `a b or c` means `(a b) or c`'],
  ['(a or b) c', 'Grouping'],
  ['-a', 'Not. Write it directly before a word, key or group. Two hyphens start a word: `--verbose`'],
  ['not a', 'Same as `-a`. To search for the word, quote it'],
];

/** Syntax of numbers, for the help. */
export const NUMBER_HELP: readonly (readonly [text: string, meaning: string])[] = [
  ['>5kb >=5kb <5kb <=5kb', 'Greater than, at least, less than, at most'],
  ['5kb..10kb', 'From 5 to 10 kB, both included. Either end may be omitted: `5kb..`, `..10kb`'],
  ['5kb', 'From 5 kB to just under 6 kB. `5.0kb` ends just under 5.1 kB'],
  ['b kb mb gb', 'Size units, powers of 1000. A plain number means bytes'],
  ['us ms s m h', 'Time units. A unit is required. Combine them as in `1m30s`'],
];
