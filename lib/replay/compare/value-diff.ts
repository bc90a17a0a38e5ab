import { LongNumber, parseExact } from '@/lib/json/exact';
import type { JsonObject } from '@/lib/json/value';
import { mayBeSame, shownUnlessSecret } from '../traffic/placeholders';
import { NORMALISED_CHARS, type Normaliser } from './normalise';

/**
 * What counts as a difference. `structure`: types and members. `semantic`: values too, with JSON in strings parsed
 * and meaningless values ignored. `strict`: any other JSON value.
 */
export type CompareMode = (typeof COMPARE_MODES)[number];
export const COMPARE_MODES = ['structure', 'semantic', 'strict'] as const;

/** How values are compared. */
export interface CompareOptions {
  readonly mode: CompareMode;
  readonly normaliser: Normaliser;
  /** Places in answers that are not compared. */
  readonly ignores?: ((path: DiffPath) => boolean) | undefined;
  /** True if the order of items in answers does not count. */
  readonly unordered?: boolean;
}

/** One place where two values differ. */
export interface Difference {
  /** `missing`: only before · `added`: only after · `type`: of another type · `changed`: another value. */
  readonly kind: 'missing' | 'added' | 'changed' | 'type';
  /** The place, as {@link pathText} formats it. */
  readonly path: string;
  /** The values as JSON, at most `DIFFERENCE_CHARS` each; '' if absent. */
  readonly before: string;
  readonly after: string;
}

/** Most differences reported for one value. */
export const MAX_DIFFERENCES = 50;

/**
 * Lists where `after` differs from `before`, in the order of `before`, at most `MAX_DIFFERENCES` places. Both must
 * come from parseExact, which bounds their depth. Placeholders of redacted values match anything. Normalisers go by the
 * last step of `at`, the place of the values.
 */
export function valueDifferences(
  before: unknown,
  after: unknown,
  how: CompareOptions,
  at: DiffPath = [],
): readonly Difference[] {
  const walk = new Walk(how, at);
  const key = at.at(-1);
  walk.compare(before, after, typeof key === 'string' ? key : undefined);
  return walk.found;
}

type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof LongNumber) return 'number';
  return typeof value as Kind;
}

/** Most items compared to find an item of the same shape. */
const DIFFERENCE_ITEMS = 50;
/** Most steps of all such comparisons together, since nested arrays multiply them. */
const DIFFERENCE_STEPS = 2_000_000;

/** Steps left for matching items, shared by all nested levels, since nesting would multiply them. */
interface Budget {
  left: number;
}

class Walk {
  readonly found: Difference[] = [];
  readonly #how: CompareOptions;
  readonly #path: DiffPath[number][];
  readonly #most: number;
  /** True while a walk only finds out whether there is a difference. */
  readonly #trial: boolean;
  readonly #budget: Budget;

  constructor(how: CompareOptions, at: DiffPath, trial?: Budget) {
    this.#how = how;
    this.#path = [...at];
    this.#trial = trial !== undefined;
    this.#most = this.#trial ? 1 : MAX_DIFFERENCES;
    this.#budget = trial ?? { left: DIFFERENCE_STEPS };
  }

  /** `key` is the member that holds the values, or that holds their array. */
  compare(before: unknown, after: unknown, key: string | undefined): void {
    if (before === after || this.#full || this.#isIgnored) return;
    if (this.#trial && this.#budget.left-- <= 0) {
      this.#addDifference('changed', before, after);
      return;
    }
    const kind = kindOf(before);
    if (kind !== kindOf(after)) {
      if (!this.#mayDiffer(before, after, key)) this.#addDifference('type', before, after);
    } else if (kind === 'object') this.#objects(before as JsonObject, after as JsonObject);
    else if (kind === 'array') this.#arrays(before as readonly unknown[], after as readonly unknown[], key);
    else if (kind === 'string') this.#strings(before as string, after as string, key);
    else if (this.#how.mode !== 'structure' && !this.#sameScalar(before, after, key)) {
      this.#addDifference('changed', before, after);
    }
  }

  get #full(): boolean {
    return this.found.length >= this.#most;
  }

  get #isIgnored(): boolean {
    return this.#how.ignores?.(this.#path) === true;
  }

  #objects(before: JsonObject, after: JsonObject): void {
    for (const [key, value] of Object.entries(before)) {
      this.#under(key, () => {
        if (Object.hasOwn(after, key)) this.compare(value, after[key], key);
        else this.#addDifference('missing', value, undefined);
      });
    }
    for (const [key, value] of Object.entries(after)) {
      if (!Object.hasOwn(before, key)) this.#under(key, () => this.#addDifference('added', undefined, value));
    }
  }

  #arrays(before: readonly unknown[], after: readonly unknown[], key: string | undefined): void {
    if (this.#how.mode === 'structure') {
      this.#shapes(before, after, key);
      return;
    }
    if (this.#how.unordered) {
      this.#items(before, after, key);
      return;
    }
    const shorter = Math.min(before.length, after.length);
    let [start, end] = [0, 0];
    if (before.length !== after.length && !this.#trial) {
      // An item added or removed in the middle must not make all later items differ.
      while (start < shorter && this.#same(before[start], after[start], key)) start++;
      while (end < shorter - start && this.#same(before.at(-1 - end), after.at(-1 - end), key)) end++;
    }
    const [beforeEnd, afterEnd] = [before.length - end, after.length - end];
    for (let at = start; at < Math.max(beforeEnd, afterEnd) && !this.#full; at++) {
      this.#under(at, () => {
        if (at >= beforeEnd) this.#addDifference('added', undefined, after[at]);
        else if (at >= afterEnd) this.#addDifference('missing', before[at], undefined);
        else this.compare(before[at], after[at], key);
      });
    }
  }

  /** Takes equal items out of both arrays, and compares the rest in order. */
  #items(before: readonly unknown[], after: readonly unknown[], key: string | undefined): void {
    const left = new Set(after.keys());
    const rest: number[] = [];
    for (const [at, item] of before.entries()) {
      const same = this.#under(at, () => this.#find(item, after, left, key));
      if (same === undefined) rest.push(at);
      else left.delete(same);
    }
    const others = [...left];
    for (let n = 0; n < Math.max(rest.length, others.length) && !this.#full; n++) {
      const [was, is] = [rest[n], others[n]];
      this.#under((was ?? is)!, () => {
        if (was === undefined) this.#addDifference('added', undefined, after[is!]);
        else if (is === undefined) this.#addDifference('missing', before[was], undefined);
        else this.compare(before[was], after[is], key);
      });
    }
  }

  /** Returns the first of the items `at` these indexes that is the same as `item`, while the budget lasts. */
  #find(item: unknown, items: readonly unknown[], at: ReadonlySet<number>, key: string | undefined) {
    for (const index of at) {
      if (this.#same(item, items[index], key)) return index;
      if (this.#budget.left-- <= 0) return undefined;
    }
    return undefined;
  }

  /**
   * Compares the shapes of items. An extra item is not a difference if the other side has an item of its shape. Arrays
   * are equal if one is empty.
   */
  #shapes(before: readonly unknown[], after: readonly unknown[], key: string | undefined): void {
    if (before.length === 0 || after.length === 0) return;
    const shared = Math.min(before.length, after.length);
    for (let at = 0; at < shared && !this.#full; at++) this.#under(at, () => this.compare(before[at], after[at], key));
    const [kind, longer, shorter] =
      before.length > after.length ? (['missing', before, after] as const) : (['added', after, before] as const);
    const known = shorter.slice(0, DIFFERENCE_ITEMS);
    for (let at = shared; at < longer.length && !this.#full; at++) {
      if (known.some((item) => this.#same(item, longer[at], key))) continue;
      this.#under(at, () => this.#addDifference(kind, before[at], after[at]));
    }
  }

  #strings(before: string, after: string, key: string | undefined): void {
    if (mayBeSame(before, after)) return;
    const { mode, normaliser } = this.#how;
    if (mode !== 'strict') {
      const [inBefore, inAfter] = [jsonIn(before), jsonIn(after)];
      if (inBefore !== undefined && inAfter !== undefined) {
        this.#under(INSIDE_STRING, () => this.compare(inBefore, inAfter, key));
        return;
      }
    }
    if (mode === 'structure') return;
    const [plainBefore, plainAfter] = [normaliser.text(before, key), normaliser.text(after, key)];
    if (mayBeSame(plainBefore, plainAfter)) return;
    const [textBefore, textAfter] = mode === 'semantic' ? [textInBlob(before, key), textInBlob(after, key)] : [];
    if (textBefore !== undefined && textAfter !== undefined) {
      this.#under(INSIDE_STRING, () => this.#strings(textBefore, textAfter, undefined));
      return;
    }
    const [shownBefore, shownAfter] = shortTexts(before, after);
    this.#report('changed', shownBefore, shownUnlessSecret(before, after, shownAfter));
  }

  #sameScalar(before: unknown, after: unknown, key: string | undefined): boolean {
    const [plainBefore, plainAfter] = [this.#plain(before, key), this.#plain(after, key)];
    if (typeof plainBefore === 'string' || typeof plainAfter === 'string') return plainBefore === plainAfter;
    return numberText(before) === numberText(after);
  }

  /**
   * Returns true if different types do not matter: an id may be a number once and a string later, and a redacted value
   * may be anything.
   */
  #mayDiffer(before: unknown, after: unknown, key: string | undefined): boolean {
    const text = [before, after].find((value) => typeof value === 'string');
    if (typeof text !== 'string') return false;
    return mayBeSame(text, '') || this.#plain(before, key) === this.#plain(after, key);
  }

  #plain(value: unknown, key: string | undefined): unknown {
    const { normaliser } = this.#how;
    if (typeof value === 'string') return normaliser.text(value, key);
    if (value instanceof LongNumber) return normaliser.number(Number(value.digits), key);
    return typeof value === 'number' ? normaliser.number(value, key) : value;
  }

  #same(before: unknown, after: unknown, key: string | undefined): boolean {
    if (before === after) return true;
    const trial = new Walk(this.#how, this.#path, this.#budget);
    trial.compare(before, after, key);
    return trial.found.length === 0;
  }

  #under<T>(step: DiffPath[number], run: () => T): T {
    this.#path.push(step);
    const result = run();
    this.#path.pop();
    return result;
  }

  #addDifference(kind: Difference['kind'], before: unknown, after: unknown): void {
    const shown = (value: unknown): string => (value === undefined || this.#trial ? '' : shortJson(value));
    const [shownBefore, shownAfter] = [shown(before), shown(after)];
    this.#report(
      kind,
      shownBefore,
      shownUnlessSecret(typeof before === 'string' ? before : shownBefore, shownAfter, shownAfter),
    );
  }

  #report(kind: Difference['kind'], before: string, after: string): void {
    if (!this.#full && !this.#isIgnored) this.found.push({ kind, path: pathText(this.#path), before, after });
  }
}

function numberText(value: unknown): string {
  return value instanceof LongNumber ? value.digits : String(value);
}

/** Decodes the contents of a resource, if they are base64 of UTF-8 text. */
function textInBlob(blob: string, key: string | undefined): string | undefined {
  if (key !== 'blob' || blob.length > NORMALISED_CHARS) return undefined;
  try {
    const bytes = Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses a string that spells an object or array; undefined for any other. */
function jsonIn(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** Most characters shown of a value. */
export const DIFFERENCE_CHARS = 160;

/** Path of a value: member names, item indexes, and {@link INSIDE_STRING}. */
export type DiffPath = readonly (string | number | typeof INSIDE_STRING)[];

/** Step into the JSON that a string holds. */
const INSIDE_STRING = Symbol('the JSON in this text');

const PLAIN = /^[A-Za-z_$][\w$-]{0,100}$/;

/** Formats a path: `content[0].text → items["a b"]`; '' for the value itself. */
export function pathText(path: DiffPath): string {
  let text = '';
  for (const step of path) {
    if (step === INSIDE_STRING) text += ' → ';
    else if (typeof step === 'number') text += `[${step}]`;
    else if (PLAIN.test(step)) text += text === '' || text.endsWith(' → ') ? step : `.${step}`;
    else text += `[${JSON.stringify(step.length > 100 ? `${step.slice(0, 99)}…` : step)}]`;
  }
  return text.trimEnd();
}

/** Formats a value as JSON on one line, cut to `DIFFERENCE_CHARS`. Reads no more of it than it shows. */
export function shortJson(value: unknown): string {
  const written = write(value, DIFFERENCE_CHARS);
  return written.length > DIFFERENCE_CHARS ? `${written.slice(0, DIFFERENCE_CHARS - 1)}…` : written;
}

/** Formats two strings, cut around the place where they differ. */
export function shortTexts(before: string, after: string): readonly [string, string] {
  const longest = DIFFERENCE_CHARS - 10;
  if (before.length <= longest && after.length <= longest) return [shortJson(before), shortJson(after)];
  let at = 0;
  while (at < before.length && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  const from = Math.max(0, at - 40);
  return [before, after].map((text) => {
    const part = text.slice(from, from + longest);
    return JSON.stringify(`${from > 0 ? '…' : ''}${part.toWellFormed()}${from + longest < text.length ? '…' : ''}`);
  }) as [string, string];
}

function write(value: unknown, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room + 1).toWellFormed());
  if (value instanceof LongNumber) return value.digits;
  if (Array.isArray(value)) {
    return `[${writeAll(value, room, (item, left) => write(item, left))}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return `{${writeAll(entries, room, ([key, item], left) => `${JSON.stringify(key.slice(0, room))}:${write(item, left)}`)}}`;
  }
  return JSON.stringify(value) ?? 'undefined';
}

function writeAll<T>(items: readonly T[], room: number, one: (item: T, left: number) => string): string {
  let text = '';
  for (const item of items) {
    if (text.length > room) return `${text},…`;
    text += `${text === '' ? '' : ','}${one(item, room - text.length)}`;
  }
  return text;
}
