import { formatCount } from '@/components/ui/format';
import type { JsonChild, JsonKind, JsonSource } from '@/lib/wire/json-source';

/** Members named, and characters of each value. */
const MEMBERS = 4;
const CHARACTERS = 40;

/** One line about a closed value: how many items an array has; a few members of an object, then how many there are. */
export function closedText(kind: JsonKind, children: readonly JsonChild[], count: number): string {
  if (kind === 'array') return `[ ${formatCount(count)} ]`;
  const members = children.slice(0, MEMBERS).map(({ name, source }) => `${name}: ${brief(source)}`);
  return `{ ${members.join(', ')}${count > members.length ? `, … ${formatCount(count)} members` : ''} }`;
}

function brief(source: JsonSource): string {
  if (source.kind === 'array') return '[…]';
  if (source.kind === 'object') return '{…}';
  if (source.kind !== 'string' || source.length <= CHARACTERS) return source.text;
  return `${source.textStart(CHARACTERS)}…"`;
}
