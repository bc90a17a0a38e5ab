import { LIMITS } from '@/lib/wire/limits';
import { allOf, anyOf, type Filter } from './ast';
import type { FaultCode, FilterFault } from './fault';
import { KEYS, nearestKey } from './keys/registry';
import { type Token, tokenize } from './tokens';

/** A filter, undefined for one that asks nothing, or where and why the text is none. */
export type Parsed =
  | { readonly ok: true; readonly filter: Filter | undefined }
  | { readonly ok: false; readonly fault: FilterFault };

/** Reads a filter text. Never throws. Of several faults the first is told. */
export function parseFilter(text: string): Parsed {
  try {
    return { ok: true, filter: new Parser(text).whole() };
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, fault: error.fault };
    throw error;
  }
}

/** Leaves the parser from any depth. */
class Wrong extends Error {
  readonly fault: FilterFault;

  constructor(code: FaultCode, { at, end }: { readonly at: number; readonly end: number }, message: string) {
    super(message);
    this.fault = { code, at, end, message };
  }
}

/** `any := all (or all)*` · `all := term (and? term)*` · `term := -term | not term | (any) | text | /regex/ | key:value`. */
class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #expressions = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  whole(): Filter | undefined {
    if (this.#tokens.length > LIMITS.filterTokens) {
      throw new Wrong(
        'too-many',
        this.#tokens[LIMITS.filterTokens]!,
        'This is more than a filter may hold. Shorten it.',
      );
    }
    if (this.#tokens.length === 0) return undefined;
    const filter = this.#any();
    const left = this.#next();
    if (left)
      throw new Wrong('nothing-to-close', left, 'There is no ( that this closes. Take it away, or put it in quotes.');
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
        throw new Wrong(token.fault.code, token.fault, token.fault.message);
      case 'text':
        return { type: 'text', text: token.text };
      case 'regex':
        return this.#regex(token);
      case 'field':
        return field(token);
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

  #regex(token: Extract<Token, { type: 'regex' }>): Filter {
    if (++this.#expressions > LIMITS.filterExpressions) {
      throw new Wrong('too-many', token, `A filter holds ${LIMITS.filterExpressions} expressions. Join some by |.`);
    }
    return { type: 'regex', source: token.source, flags: token.flags };
  }

  #not(negation: Token): Filter | undefined {
    const next = this.#next()?.type;
    // The one in the other is written with a parenthesis.
    const levels = next === 'minus' || next === 'not' ? 1 : 0;
    this.#descend(negation, levels);
    const part = this.#term();
    this.#depth -= levels;
    return part && { type: 'not', part };
  }

  #group(open: Token): Filter | undefined {
    this.#descend(open, 1);
    const inner = this.#any();
    if (this.#next()?.type !== 'close') {
      throw new Wrong('unclosed-group', open, 'This parenthesis is not closed. Put a ) where the group ends.');
    }
    this.#at++;
    this.#depth--;
    return inner;
  }

  #descend(where: Token, levels: number): void {
    this.#depth += levels;
    if (this.#depth > LIMITS.filterDepth) {
      throw new Wrong('too-deep', where, 'There are too many parentheses in one another. Take some away.');
    }
  }

  /** At `or`, `and`, `)` or the end, where something to look for should be. */
  #missing(where: { readonly at: number; readonly end: number }): Wrong {
    const word = this.#text.slice(where.at, where.end);
    const quoted = word === '' ? '' : ` To look for ${word} itself, quote it.`;
    return new Wrong('term-missing', where, `Something to look for is missing here.${quoted}`);
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at];
  }
}

function loneMinus(minus: Token): Wrong {
  const message = 'What is to be left out comes right after the -. To look for a -, quote it.';
  return new Wrong('term-missing', minus, message);
}

function field(token: Extract<Token, { type: 'field' }>): Filter {
  const { key: name, value, quoted, at, valueAt, end } = token;
  const key = KEYS.get(name);
  if (!key) {
    const near = nearestKey(name);
    const hint = near ? `Write ${near}: or, to` : 'To';
    const message = `There is no key ${name}. ${hint} look for the text, put it in quotes.`;
    throw new Wrong('unknown-key', { at, end: valueAt }, message);
  }
  if (value === '' && !quoted) {
    throw new Wrong('value-missing', { at: valueAt, end }, `${name}: wants ${key.wants}, such as ${key.examples[0]}.`);
  }
  const fault = key.faultOf({ value, quoted });
  if (fault !== undefined) throw new Wrong('value-wrong', { at: valueAt, end }, fault);
  return { type: 'field', key: name, value, quoted };
}
