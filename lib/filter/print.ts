import type { Filter } from './ast';
import { tokenize } from './tokens';

/** A filter as text that is read as the same filter again. '' for one that asks nothing. */
export function printFilter(filter: Filter | undefined): string {
  return filter === undefined ? '' : print(filter);
}

/** A text as it is looked for: bare if that reads as this text, else in quotes. */
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
  // Two hyphens would begin a word.
  return part.type === 'text' && part.text.startsWith('-') ? quote(part.text) : print(part);
}

/** A parenthesis within the last word would take the closing one for its own. */
function group(filter: Filter): string {
  const inner = print(filter);
  return /\(\S*$/.test(inner) ? `(${inner} )` : `(${inner})`;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
