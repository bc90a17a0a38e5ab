import { skipSpace, stringEnd, valueEnd } from '@/lib/wire/json-scan';

export type JsonMembers = ReadonlyMap<string, string>;

/** A string without its quotes, cut off or not; other values as they are written. */
export function memberText(json: string | undefined): string | undefined {
  if (!json?.startsWith('"')) return json;
  const closed = stringEnd(json, 0) < 0 ? `${json.replace(/\\(?:u[\da-f]{0,3})?$/i, '')}"` : json;
  try {
    return String(JSON.parse(closed));
  } catch {
    return json;
  }
}

/** The members of an object by name, their values as they are written; the text may end in the midst of it. */
export function membersOf(text: string): JsonMembers {
  const members = new Map<string, string>();
  let at = skipSpace(text, 0) + 1;
  for (;;) {
    const name = skipSpace(text, at);
    const nameEnd = stringEnd(text, name);
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    if (nameEnd < 0 || value >= text.length) return members;
    const end = valueEnd(text, value);
    members.set(memberText(text.slice(name, nameEnd))!, text.slice(value, end < 0 ? text.length : end));
    if (end < 0) return members;
    at = skipSpace(text, end) + 1;
  }
}
