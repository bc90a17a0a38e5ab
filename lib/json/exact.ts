import { parseBounded } from './parse';
import { stringEnd } from './scan';

/**
 * JSON without loss. Integers beyond 2^53 − 1, `1e400`, `1.0` and the like keep the digits they were written with, if
 * the platform has JSON.rawJSON and source access for revivers (Chrome 114, Firefox 135, Safari 18.4, Node 22).
 * Elsewhere they are ordinary numbers.
 */

/**
 * A number kept as its digits: the frozen object that `JSON.rawJSON` returns. JSON.stringify writes it as it stands.
 */
export interface RawNumber {
  readonly rawJSON: string;
}

interface ExactJson {
  rawJSON(source: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}

const platform = JSON as Partial<ExactJson>;

function readsSource(): boolean {
  let source: string | undefined;
  JSON.parse('1.0', (_key: string, value: unknown, context?: { source?: string }) => {
    source = context?.source;
    return value;
  });
  return source === '1.0';
}

/** True if this platform can keep any number exactly. */
export const EXACT: boolean = typeof platform.rawJSON === 'function' && readsSource();

/**
 * Returns true for a number kept as its digits. `typeof` calls it an object, so check this before looking inside one.
 */
export function isRawNumber(value: unknown): value is RawNumber {
  return EXACT && platform.isRawJSON!(value);
}

/** Returns the number that the JSON number `source` spells, kept as digits unless JSON.stringify writes the same. */
export function exactNumber(source: string): unknown {
  const value = Number(source);
  return EXACT && String(value) !== source ? platform.rawJSON!(source) : value;
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? exactNumber(context.source) : value;
}

/** Parses JSON with exact numbers where possible. Throws SyntaxError. */
export function parseExactJson(text: string): unknown {
  return EXACT ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** Parses as {@link parseExactJson} does, but returns the error message. */
export function tryParseJson(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  try {
    return { ok: true, value: parseExactJson(text) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Writes a value with its digits. `indent` is the number of spaces per level; 0 writes one line. Throws RangeError if
 * nested too deep.
 */
export function stringifyJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, undefined, indent) ?? 'null';
}

/**
 * Removes the white space between tokens, which gives one line, as stdio needs it. Duplicate keys, key order and digits
 * stay. Takes linear time for any text.
 */
export function compactJson(text: string): string {
  return text.replace(/("(?:[^"\\]+|\\[\s\S]?)*"?)|[ \t\r\n]+/g, (_match, string: string | undefined) => string ?? '');
}

/** Matches a string, a bracket, comma or colon, or a number or word. */
const TOKENS = /"(?:[^"\\]+|\\[\s\S])*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** Splits JSON text into tokens, which are returned as written. */
export function jsonTokens(text: string): readonly string[] {
  return text.match(TOKENS) ?? [];
}

/** Puts each member and item on its own line. Only white space changes; duplicate keys, key order and digits stay. */
export function prettyJson(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let before = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const token of jsonTokens(text)) {
    const opened = before === '{' || before === '[';
    if (token === '}' || token === ']') {
      depth--;
      out.push(opened ? '' : line(), token);
    } else if (token === ',' || token === ':') out.push(token === ':' ? ': ' : token);
    else {
      out.push(opened || before === ',' ? line() : '', token);
      if (token === '{' || token === '[') depth++;
    }
    before = token;
  }
  return out.join('');
}

/**
 * Returns true if two JSON values are deeply equal, key order included. Numbers kept as digits are compared by their
 * digits.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  try {
    return JSON.stringify(a) === JSON.stringify(b);
  } catch {
    return false;
  }
}

/** Returns the text that a number field shows for a value. */
export function writeNumber(value: unknown): string {
  if (value === undefined || value === null) return '';
  return isRawNumber(value) ? value.rawJSON : String(value);
}

/** Returns true for numbers, including those kept as digits. */
export function isExactNumber(value: unknown): boolean {
  return typeof value === 'number' || isRawNumber(value);
}

/** Returns true for integers of any size, and for `1.0`, as JSON Schema defines. */
export function isExactInteger(value: unknown): boolean {
  if (!isRawNumber(value)) return Number.isInteger(value);
  return /^-?\d+$/.test(value.rawJSON) || Number.isInteger(Number(value.rawJSON));
}

/** A number with more digits than a double holds, as written. Works on every platform, unlike {@link RawNumber}. */
export class LongNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** Characters of the shortest number that JSON.parse may round. */
const LONG_CHARS = 16;
const LONG = /\d[\d.]{15}/;
const NUMBER = /-?\d[\d.eE+-]*/y;
/** Marks strings that stand for a long number while the rest is parsed. */
const MARK = '\u0000number:';

/**
 * Parses JSON and keeps the numbers that JSON.parse would round as {@link LongNumber}. Throws SyntaxError for invalid
 * JSON, RangeError beyond the bounds of parseBounded.
 */
export function parseExact(text: string): unknown {
  const value = parseBounded(text);
  if (!mayHaveLongNumber(text) || text.includes('\\u0000number:')) return value;
  return JSON.parse(marked(text), (_, each: unknown) =>
    typeof each === 'string' && each.startsWith(MARK) ? new LongNumber(each.slice(MARK.length)) : each,
  );
}

/** Returns true if {@link LONG} matches. Looks at every 16th character first, because each match has one of them. */
function mayHaveLongNumber(text: string): boolean {
  for (let at = LONG_CHARS - 1; at < text.length; at += LONG_CHARS) {
    if (isDigitOrDot(text, at) && LONG.test(digitsAround(text, at))) return true;
  }
  return false;
}

/** Returns the digits and dots around a place, as far as a match may reach. */
function digitsAround(text: string, at: number): string {
  let [from, to] = [at, at + 1];
  while (at - from < LONG_CHARS && from > 0 && isDigitOrDot(text, from - 1)) from--;
  while (to - at < LONG_CHARS && to < text.length && isDigitOrDot(text, to)) to++;
  return text.slice(from, to);
}

function isDigitOrDot(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

/** Replaces each long number in valid JSON by a marked string. */
function marked(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at) - 1;
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = at;
      const digits = NUMBER.exec(text)![0];
      if (digits.length > 15 && String(Number(digits)) !== digits) {
        parts.push(text.slice(copied, at), JSON.stringify(`${MARK}${digits}`));
        copied = at + digits.length;
      }
      at += digits.length - 1;
    }
  }
  return parts.join('') + text.slice(copied);
}
