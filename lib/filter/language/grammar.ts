import { allOf, anyOf, type FieldTerm, type FieldValue, type Filter, type RegexSource } from './ast';

/** Most tokens in a filter text. The time to test a row is proportional to them. */
const FILTER_TOKENS = 300;
/** Deepest nesting of groups, since the parser and the compiler are recursive. */
const FILTER_DEPTH = 50;
/** Most regular expressions in a filter. Each has one bit in a row's result byte. */
export const FILTER_EXPRESSIONS = 6;

type FaultCode =
  | 'unclosed-quote'
  | 'unclosed-regex'
  | 'bad-regex'
  | 'unknown-key'
  | 'value-missing'
  | 'value-wrong'
  | 'term-missing'
  | 'unclosed-group'
  | 'nothing-to-close'
  | 'too-deep'
  | 'too-many';

/** An error in a filter text at characters [at, end), with a message that says how to fix it. */
export interface FilterFault {
  readonly code: FaultCode;
  readonly at: number;
  readonly end: number;
  readonly message: string;
}

/** A filter (undefined for an empty text), or the first error in the text. */
export type ParsedFilter =
  | { readonly ok: true; readonly filter: Filter | undefined }
  | { readonly ok: false; readonly fault: FilterFault };

/** The keys of a language: how errors name them, and which values they accept. */
export interface KeyTable {
  /** Returns the key with this name; undefined if there is none. */
  get(name: string): LanguageKey | undefined;
  /** Explains an unknown key, in whole sentences. */
  explain(name: string): string;
}

/** A key, as far as parsing needs it. */
export interface LanguageKey {
  readonly name: string;
  /** The kind of value, for error messages: "a tool name". */
  readonly expects: string;
  /** Example values. Error messages quote the first ones. */
  readonly examples: readonly string[];
  /** Returns an error message for an invalid value, with valid examples; undefined for a valid value. */
  readonly faultOf: (value: FieldValue) => string | undefined;
}

/** Parses a filter text with these keys. Never throws; reports the first error. */
export function parseWith(keys: KeyTable, text: string): ParsedFilter {
  try {
    return { ok: true, filter: new Parser(keys, text).whole() };
  } catch (error) {
    if (error instanceof ParseError) return { ok: false, fault: error.fault };
    throw error;
  }
}

/** Thrown inside the parser only. */
class ParseError extends Error {
  readonly fault: FilterFault;

  constructor(code: FaultCode, { at, end }: { readonly at: number; readonly end: number }, message: string) {
    super(message);
    this.fault = { code, at, end, message };
  }
}

/**
 * A recursive descent parser of this grammar:
 *
 * - `any := all (or all)*`
 * - `all := term (and? term)*`
 * - `term := -term | not term | (any) | text | /regex/ | key:value`
 */
class Parser {
  readonly #keys: KeyTable;
  readonly #text: string;
  readonly #tokens: readonly FilterToken[];
  #at = 0;
  #depth = 0;
  #expressions = 0;

  constructor(keys: KeyTable, text: string) {
    this.#keys = keys;
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  whole(): Filter | undefined {
    if (this.#tokens.length > FILTER_TOKENS) {
      throw new ParseError('too-many', this.#tokens[FILTER_TOKENS]!, 'This filter is too long. Shorten it.');
    }
    if (this.#tokens.length === 0) return undefined;
    const filter = this.#any();
    const left = this.#next();
    if (left)
      throw new ParseError('nothing-to-close', left, 'This ) has no matching (. Remove it or put it in quotes.');
    return filter;
  }

  #any(): Filter | undefined {
    const parts = [this.#all()];
    while (this.#next()?.type === 'or') {
      this.#at++;
      parts.push(this.#all());
    }
    return anyOf(parts);
  }

  #all(): Filter | undefined {
    const parts = [this.#term()];
    for (let token = this.#next(); token && token.type !== 'or' && token.type !== 'close'; token = this.#next()) {
      if (token.type === 'and') this.#at++;
      parts.push(this.#term());
    }
    return allOf(parts);
  }

  #term(): Filter | undefined {
    const token = this.#next();
    if (!token) throw this.#missing({ at: this.#text.length, end: this.#text.length });
    this.#at++;
    switch (token.type) {
      case 'fault':
        throw new ParseError(token.fault.code, token.fault, token.fault.message);
      case 'text':
        return { type: 'text', text: token.text };
      case 'regex':
        return this.#regex(token);
      case 'field':
        return fieldTerm(this.#keys, token);
      case 'minus':
        if (this.#next()?.at !== token.end) throw loneMinus(token);
        return this.#not(token);
      case 'not':
        return this.#not(token);
      case 'open':
        return this.#group(token);
      default:
        throw this.#missing(token);
    }
  }

  #regex(token: Extract<FilterToken, { type: 'regex' }>): Filter {
    if (++this.#expressions > FILTER_EXPRESSIONS) {
      throw new ParseError(
        'too-many',
        token,
        `A filter can hold at most ${FILTER_EXPRESSIONS} regular expressions. Join some with |.`,
      );
    }
    return { type: 'regex', source: token.source, flags: token.flags };
  }

  #not(negation: FilterToken): Filter | undefined {
    const next = this.#next()?.type;
    // Nested negations are printed as groups, so they count as levels.
    const levels = next === 'minus' || next === 'not' ? 1 : 0;
    this.#descend(negation, levels);
    const part = this.#term();
    this.#depth -= levels;
    return part && { type: 'not', part };
  }

  #group(open: FilterToken): Filter | undefined {
    this.#descend(open, 1);
    const inner = this.#any();
    if (this.#next()?.type !== 'close') {
      throw new ParseError('unclosed-group', open, 'This ( is not closed. Add a ) where the group ends.');
    }
    this.#at++;
    this.#depth--;
    return inner;
  }

  #descend(where: FilterToken, levels: number): void {
    this.#depth += levels;
    if (this.#depth > FILTER_DEPTH) {
      throw new ParseError('too-deep', where, 'Too many nested groups. Remove some parentheses.');
    }
  }

  /** Makes the error for `or`, `and`, `)` or the end of the text in place of a term. */
  #missing(where: { readonly at: number; readonly end: number }): ParseError {
    const word = this.#text.slice(where.at, where.end);
    const quoted = word === '' ? '' : ` To search for ${word} itself, quote it.`;
    return new ParseError('term-missing', where, `A search term is missing here.${quoted}`);
  }

  #next(): FilterToken | undefined {
    return this.#tokens[this.#at];
  }
}

function loneMinus(minus: FilterToken): ParseError {
  const message = 'Put - directly before the term to exclude. To search for -, quote it.';
  return new ParseError('term-missing', minus, message);
}

function fieldTerm(keys: KeyTable, token: Extract<FilterToken, { type: 'field' }>): FieldTerm {
  const { key: name, value, quoted, at, valueAt, end } = token;
  const key = keys.get(name);
  if (!key) throw new ParseError('unknown-key', { at, end: valueAt }, keys.explain(name));
  if (value === '' && !quoted) {
    throw new ParseError(
      'value-missing',
      { at: valueAt, end },
      `${name}: needs ${key.expects}, for example ${key.examples[0]}.`,
    );
  }
  const fault = key.faultOf({ value, quoted });
  if (fault !== undefined) throw new ParseError('value-wrong', { at: valueAt, end }, fault);
  return { type: 'field', key: name, value, quoted };
}

/** A token of a filter text, at characters [at, end). */
export type FilterToken = { readonly at: number; readonly end: number } & (
  | { readonly type: 'open' | 'close' | 'minus' | 'not' | 'or' | 'and' }
  | { readonly type: 'text'; readonly text: string }
  | ({ readonly type: 'regex' } & RegexSource)
  /** `valueAt` is where the value starts, including its opening quote. */
  | ({ readonly type: 'field'; readonly key: string; readonly valueAt: number } & FieldValue)
  | { readonly type: 'fault'; readonly fault: FilterFault }
);

const SPACE = /\s/;
/** A key and its colon. Text followed by two slashes is a URL, not a key. */
const KEY = /([a-z][a-z-]*):(?!\/\/)/iy;
const OPERATORS: Readonly<Record<string, 'or' | 'and' | 'not'>> = {
  or: 'or',
  OR: 'or',
  and: 'and',
  AND: 'and',
  not: 'not',
  NOT: 'not',
};

/** Splits a text into tokens. Never throws: an error becomes the last token. */
export function tokenize(text: string): readonly FilterToken[] {
  const tokens: FilterToken[] = [];
  let at = 0;
  while (at < text.length) {
    if (SPACE.test(text[at]!)) {
      at++;
      continue;
    }
    const token = tokenAt(text, at);
    tokens.push(token);
    if (token.type === 'fault') break;
    at = token.end;
  }
  return tokens;
}

function tokenAt(text: string, at: number): FilterToken {
  const character = text[at]!;
  if (character === '(') return { type: 'open', at, end: at + 1 };
  if (character === ')') return { type: 'close', at, end: at + 1 };
  if (character === '"') return phraseAt(text, at);
  if (character === '/') return regexAt(text, at);
  // Two hyphens start the name of a command-line option.
  if (character === '-' && text[at + 1] !== '-') return { type: 'minus', at, end: at + 1 };
  KEY.lastIndex = at;
  const key = KEY.exec(text)?.[1];
  if (key !== undefined) return fieldAt(text, at, key);
  const end = wordEnd(text, at);
  const word = text.slice(at, end);
  const type = Object.hasOwn(OPERATORS, word) ? OPERATORS[word]! : undefined;
  return type ? { type, at, end } : { type: 'text', text: word, at, end };
}

function fieldAt(text: string, at: number, key: string): FilterToken {
  const valueAt = at + key.length + 1;
  if (text[valueAt] !== '"') {
    const end = wordEnd(text, valueAt);
    return { type: 'field', key: key.toLowerCase(), value: text.slice(valueAt, end), quoted: false, valueAt, at, end };
  }
  const phrase = phraseAt(text, valueAt);
  if (phrase.type !== 'text') return phrase;
  return { type: 'field', key: key.toLowerCase(), value: phrase.text, quoted: true, valueAt, at, end: phrase.end };
}

/** A word ends at a space or an unmatched closing parenthesis. */
function wordEnd(text: string, from: number): number {
  let open = 0;
  let at = from;
  for (; at < text.length && !SPACE.test(text[at]!); at++) {
    if (text[at] === '(') open++;
    else if (text[at] === ')' && open-- === 0) break;
  }
  return at;
}

/** In quotes, a backslash escapes a quote or a backslash. */
function phraseAt(text: string, at: number): FilterToken {
  let phrase = '';
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '"') return { type: 'text', text: phrase, at, end: end + 1 };
    if (text[end] === '\\' && (text[end + 1] === '"' || text[end + 1] === '\\')) end++;
    phrase += text[end];
  }
  const message = 'This quote is not closed. Add a " where the text ends.';
  return faultAt({ code: 'unclosed-quote', at, end: text.length, message });
}

/** Ends at the next slash that is neither escaped nor in brackets, as in JavaScript. Letters after it are flags. */
function regexAt(text: string, at: number): FilterToken {
  let brackets = false;
  for (let close = at + 1; close < text.length; close++) {
    const character = text[close];
    if (character === '\\') close++;
    else if (character === '[') brackets = true;
    else if (character === ']') brackets = false;
    else if (character === '/' && !brackets && close > at + 1) return regex(text, at, close);
  }
  const message = `This regular expression is not closed. End it with /, or quote it to search for the text: "${text.slice(at, wordEnd(text, at))}".`;
  return faultAt({ code: 'unclosed-regex', at, end: text.length, message });
}

function regex(text: string, at: number, close: number): FilterToken {
  let end = close + 1;
  while (end < text.length && /[a-z]/i.test(text[end]!)) end++;
  const flags = text.slice(close + 1, end);
  if (!/^(?!.*(.).*\1)[imsu]*$/.test(flags)) {
    const message = `Invalid flag. Use i, m, s or u. To search for the text, quote it: "${text.slice(at, wordEnd(text, at))}".`;
    return faultAt({ code: 'bad-regex', at: close + 1, end, message });
  }
  const source = text.slice(at + 1, close);
  try {
    new RegExp(source, flags);
  } catch (error) {
    const reason = /: ([^:]+)$/.exec(String(error))?.[1] ?? 'syntax error';
    const message = `Invalid regular expression: ${reason}. To search for the text, quote it.`;
    return faultAt({ code: 'bad-regex', at, end, message });
  }
  return { type: 'regex', source, flags, at, end };
}

function faultAt(fault: FilterFault): FilterToken {
  return { type: 'fault', fault, at: fault.at, end: fault.end };
}
