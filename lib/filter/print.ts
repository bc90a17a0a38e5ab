import { allOf, type FieldTerm, type Filter, partsOf } from './language/ast';
import { tokenize } from './language/grammar';
import { parseFilter } from './parse';

/** Formats a filter as text that parses to the same filter; '' for an empty filter. */
export function printFilter(filter: Filter | undefined): string {
  return filter === undefined ? '' : print(filter);
}

/** Quotes a text only if it would parse as something else. */
function printText(text: string): string {
  const [token, ...others] = tokenize(text);
  return others.length === 0 && token?.type === 'text' && token.text === text ? text : quote(text);
}

function print(filter: Filter): string {
  switch (filter.type) {
    case 'all':
      return filter.parts.map((part) => (part.type === 'any' ? group(part) : print(part))).join(' ');
    case 'any':
      return filter.parts.map(print).join(' or ');
    case 'not':
      return `-${negated(filter.part)}`;
    case 'text':
      return printText(filter.text);
    case 'regex':
      return `/${filter.source}/${filter.flags}`;
    case 'field':
      return `${filter.key}:${filter.quoted ? quote(filter.value) : filter.value}`;
  }
}

function negated(part: Filter): string {
  if (part.type === 'all' || part.type === 'any' || part.type === 'not') return group(part);
  // Two hyphens would start a word.
  return part.type === 'text' && part.text.startsWith('-') ? quote(part.text) : print(part);
}

/**
 * Puts a filter in parentheses. Adds a space if its last word has an open parenthesis, which would match the closing
 * one.
 */
function group(filter: Filter): string {
  const inner = print(filter);
  return /\(\S*$/.test(inner) ? `(${inner} )` : `(${inner})`;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Builds a `key:value` term. Quotes the value if it would parse as something else. */
export function fieldTerm(key: string, value: string): FieldTerm {
  const term: FieldTerm = { type: 'field', key, value, quoted: false };
  const parsed = parseFilter(printFilter(term));
  const same = parsed.ok && parsed.filter?.type === 'field' && parsed.filter.value === value && !value.includes('*');
  return same ? term : { ...term, quoted: true };
}

/** Formats `key:value` for a suggested value, in which `*` and `>` keep their meaning. */
export function writtenValue(key: string, value: string): string {
  return value.includes(' ') ? printFilter({ type: 'field', key, value, quoted: true }) : `${key}:${value}`;
}

/**
 * Adds a term, or with `not` its negation, to a filter text. Removes the opposite term and, with `key`, every other
 * term with that key. An invalid text is replaced.
 */
export function withTerm(text: string, term: Filter | undefined, { not = false, key = '' } = {}): string {
  const parsed = parseFilter(text);
  const wanted: Filter | undefined = term && not ? { type: 'not', part: term } : term;
  const contrary: Filter | undefined = term && not ? term : term && { type: 'not', part: term };
  const [same, other] = [printFilter(wanted), printFilter(contrary)];
  const kept = partsOf(parsed.ok ? parsed.filter : undefined).filter((part) => {
    const written = printFilter(part);
    return (
      written !== same && (contrary === undefined || written !== other) && !(part.type === 'field' && part.key === key)
    );
  });
  return printFilter(allOf([...kept, wanted]));
}
