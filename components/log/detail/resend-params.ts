import { members } from '@/lib/wire/json-text';

/**
 * The params of a request's text, as they were sent, for sending it again: digits, key order and duplicates stay. Only a
 * progress token goes, the new request gets its own. undefined without params. Throws on text that is no object.
 */
export function resendParams(text: string): string | undefined {
  const params = members(text).findLast((member) => member.key === 'params');
  if (!params) return undefined;
  const value = text.slice(params.start, params.end);
  return replaceMember(value, '_meta', (meta) => removeMember(meta, 'progressToken'));
}

function replaceMember(text: string, key: string, change: (value: string) => string): string {
  const member = text.startsWith('{') ? members(text).findLast((candidate) => candidate.key === key) : undefined;
  if (!member) return text;
  return text.slice(0, member.start) + change(text.slice(member.start, member.end)) + text.slice(member.end);
}

function removeMember(text: string, key: string): string {
  if (!text.startsWith('{')) return text;
  const all = members(text);
  if (!all.some((member) => member.key === key)) return text;
  const kept = all.filter((member) => member.key !== key);
  return `{${kept.map((member) => `${JSON.stringify(member.key)}:${text.slice(member.start, member.end)}`).join(',')}}`;
}
