/**
 * JSON text and values without loss: integers beyond 2^53 − 1, `1e400`, `1.0` and the like keep the digits they were written
 * with, where the platform can (JSON.rawJSON and the reviver's source access; Chrome 114, Firefox 135, Safari 18.4,
 * Node 22). Elsewhere they are ordinary numbers.
 */

/** What `JSON.rawJSON` makes: a frozen object whose `rawJSON` is written out as it stands. */
export interface Literal {
  readonly rawJSON: string;
}

interface ExactJson {
  rawJSON(source: string): Literal;
  isRawJSON(value: unknown): value is Literal;
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
export function isLiteral(value: unknown): value is Literal {
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
