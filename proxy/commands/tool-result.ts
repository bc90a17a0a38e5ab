import { topLevelMembers } from '@/lib/json/members';
import { isObject, own } from '@/lib/json/value';
import { blockText, indentJson } from './format-content';

/** Formats a tool's result: content blocks one after another, then structured content unless a block repeats it. */
export function resultForPeople(result: unknown, text: string): string {
  const blocks = isObject(result) ? own(result, 'content') : undefined;
  if (!Array.isArray(blocks)) return indentJson(text);
  const shown = blocks.map(blockText);
  const member = topLevelMembers(text).findLast(({ key }) => key === 'structuredContent');
  const structured = member && indentJson(text.slice(member.start, member.end));
  if (structured !== undefined && !shown.some((block) => indentJson(block) === structured)) shown.push(structured);
  return shown.join('\n');
}
