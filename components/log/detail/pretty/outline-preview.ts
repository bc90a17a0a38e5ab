import { formatCount } from '@/components/ui/format';
import type { JsonOutline } from '@/lib/store/json-outline';

/** Members named, and characters of each value. */
const MEMBERS = 5;
const CHARACTERS = 40;

/** One line about a value that is closed: how many items an array has; of an object a few members, then how many there are. */
export function outlinePreview(outline: JsonOutline, node: number): string {
  const count = outline.childCount(node);
  if (outline.kind(node) === 'array') return count === 0 ? '[]' : `[ ${formatCount(count)} ]`;
  const members: string[] = [];
  for (const child of outline.children(node)) {
    if (members.length === MEMBERS) break;
    members.push(`${outline.shortName(child)?.slice(0, CHARACTERS)}: ${brief(outline, child)}`);
  }
  if (count === 0) return '{}';
  return `{ ${members.join(', ')}${count > members.length ? `, … ${formatCount(count)} members` : ''} }`;
}

function brief(outline: JsonOutline, node: number): string {
  const kind = outline.kind(node);
  if (kind === 'array') return outline.childCount(node) > 0 ? '[…]' : '[]';
  if (kind === 'object') return outline.childCount(node) > 0 ? '{…}' : '{}';
  if (kind !== 'string') return outline.text(node).slice(0, CHARACTERS);
  const { text } = outline.stringStart(node);
  return text.length > CHARACTERS
    ? `${JSON.stringify(text.slice(0, CHARACTERS)).slice(0, -1)}…"`
    : JSON.stringify(text);
}
