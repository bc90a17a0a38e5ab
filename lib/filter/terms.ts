import { allOf, type FieldTerm, type Filter, partsOf } from './ast';
import { parseFilter } from './parse';
import { printFilter } from './print';

/** `key:value` as a term; a value that would be read as something else is put in quotes. */
export function fieldTerm(key: string, value: string): FieldTerm {
  const term: FieldTerm = { type: 'field', key, value, quoted: false };
  const parsed = parseFilter(printFilter(term));
  const same = parsed.ok && parsed.filter?.type === 'field' && parsed.filter.value === value && !value.includes('*');
  return same ? term : { ...term, quoted: true };
}

/** `key:value` as it is typed for a value that the language offers, in which `*` and `>` mean what they do. */
export function writtenValue(key: string, value: string): string {
  return value.includes(' ') ? printFilter({ type: 'field', key, value, quoted: true }) : `${key}:${value}`;
}

/**
 * A filter text with one more condition: `term` must hold, or with `not` must not. The opposite of it goes, and so, with `key`,
 * does every condition on that key: a new `time:` takes the place of the old one. A text with a fault is given up.
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
