import { parseBounded } from './parse';
import { stringEnd } from './scan';

/**
 * JSON text and values without loss: integers beyond 2^53 − 1, `1e400`, `1.0` and the like keep the digits they were written
 * with, where the platform can (JSON.rawJSON and the reviver's source access; Chrome 114, Firefox 135, Safari 18.4,
 * Node 22). Elsewhere they are ordinary numbers.
 */

/** What `JSON.rawJSON` makes: a frozen object whose `rawJSON` is written out as it stands. */
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

/** True if this platform can hold any number exactly. */
export const EXACT: boolean = typeof platform.rawJSON === 'function' && readsSource();

/** True for a number kept as its digits. Such a value is an object to `typeof`: ask here before looking inside one. */
export function isRawNumber(value: unknown): value is RawNumber {
  return EXACT && platform.isRawJSON!(value);
}

/** The number that `source`, a JSON number, spells: exact where the platform can and a double would differ. */
export function exactNumber(source: string): unknown {
  const value = Number(source);
  return EXACT && isLossy(source, value) ? platform.rawJSON!(source) : value;
}

/** More significant digits than a double is sure to hold. */
const SURE_DIGITS = 15;

function isLossy(source: string, value: number): boolean {
  // Written out, a double that is −0 is 0.
  if (!Number.isFinite(value) || Object.is(value, -0)) return true;
  const digits = /^-?0*\.?0*(\d*\.?\d*)/.exec(source)![1]!.replace('.', '');
  if (value === 0) return /[1-9]/.test(digits);
  return Number.isInteger(value) ? !Number.isSafeInteger(value) : digits.length > SURE_DIGITS;
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined || String(value) === context.source) return value;
  return platform.rawJSON!(context.source);
}

/** Parses JSON, numbers exact where possible. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  return EXACT ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** As {@link parseJson}, with the failure as a value. */
export function tryParseJson(text: string): { ok: true; value: unknown } | { ok: false; message: string } {
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** The text of a value, digits kept. `indent` spaces a level; 0 for one line. Throws RangeError when nested too deep. */
export function stringifyJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, undefined, indent) ?? 'null';
}

/**
 * JSON text without the white space between its tokens, on one line as stdio needs it. Nothing else changes: duplicate keys, key order
 * and digits stay. Linear, whatever the text.
 */
export function compactJson(text: string): string {
  return text.replace(/("(?:[^"\\]+|\\[\s\S]?)*"?)|[ \t\r\n]+/g, (_match, string: string | undefined) => string ?? '');
}

/** A string, a bracket, comma or colon, or a plain value. */
const TOKENS = /"(?:[^"\\]+|\\[\s\S])*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** The tokens of JSON text, each as it is written. */
export function jsonTokens(text: string): readonly string[] {
  return text.match(TOKENS) ?? [];
}

/** JSON text with a line for each member and item. Nothing but white space changes: duplicate keys, key order and digits stay. */
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

/** Deep equality of JSON values; literals are equal if their digits are. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  try {
    return JSON.stringify(a) === JSON.stringify(b);
  } catch {
    return false;
  }
}

const TYPED_NUMBER = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/**
 * The value that text typed into a number field stands for: a number (exact beyond 2^53 − 1), the text itself when it is no
 * number, undefined when there is none. `1e3` is 1000; `+5`, `05` and `.5` are read as people mean them.
 */
export function readNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const match = TYPED_NUMBER.exec(trimmed);
  if (match === null) return text;
  const [, sign, whole, fraction, exponent] = match;
  const digits = `${sign === '-' ? '-' : ''}${whole!.replace(/^0+(?=\d)/, '') || '0'}`;
  return exactNumber(`${digits}${fraction ? `.${fraction}` : ''}${exponent === undefined ? '' : `e${exponent}`}`);
}

/** The text to show for a value in a number field. */
export function writeNumber(value: unknown): string {
  if (value === undefined || value === null) return '';
  return isRawNumber(value) ? value.rawJSON : String(value);
}

/** True for numbers, doubles or kept as digits. */
export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || isRawNumber(value);
}

/** True for numbers without a fraction. Digits beyond 2^53 − 1 count; so does `1.0`, as JSON Schema says. */
export function isInteger(value: unknown): boolean {
  if (!isRawNumber(value)) return Number.isInteger(value);
  return /^-?\d+$/.test(value.rawJSON) || Number.isInteger(Number(value.rawJSON));
}

/** A number of more digits than a double is sure to hold, as it was written. */
export class LongNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

const LONG = /\d[\d.]{15}/;
const NUMBER = /-?\d[\d.eE+-]*/y;
/** Stands in a string for a number while the rest is parsed; what a text holds of it already is left alone. */
const MARK = '\u0000number:';

/**
 * JSON.parse, with the numbers that it would round kept as {@link LongNumber}. Throws as parseBounded does: SyntaxError for what
 * is no JSON, RangeError for monsters.
 */
export function parseExact(text: string): unknown {
  const value = parseBounded(text);
  if (!LONG.test(text) || text.includes('\\u0000number:')) return value;
  return JSON.parse(marked(text), (_, each: unknown) =>
    typeof each === 'string' && each.startsWith(MARK) ? new LongNumber(each.slice(MARK.length)) : each,
  );
}

/** The text with each long number as a string. It is known to be JSON. */
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
