import { LIMITS } from '@/lib/wire/limits';
import { LongNumber } from './exact-json';

/** A value as JSON on one line, cut. Looks at no more of it than is shown. */
export function shownValue(value: unknown): string {
  const written = write(value, LIMITS.differenceChars);
  return written.length > LIMITS.differenceChars ? `${written.slice(0, LIMITS.differenceChars - 1)}…` : written;
}

/** Two strings, cut to where they differ. */
export function shownTexts(before: string, after: string): readonly [string, string] {
  const longest = LIMITS.differenceChars - 10;
  if (before.length <= longest && after.length <= longest) return [shownValue(before), shownValue(after)];
  let at = 0;
  while (at < before.length && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  const from = Math.max(0, at - 40);
  return [before, after].map((text) => {
    const part = text.slice(from, from + longest);
    return JSON.stringify(`${from > 0 ? '…' : ''}${part.toWellFormed()}${from + longest < text.length ? '…' : ''}`);
  }) as [string, string];
}

function write(value: unknown, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room + 1).toWellFormed());
  if (value instanceof LongNumber) return value.digits;
  if (Array.isArray(value)) {
    return `[${writeAll(value, room, (item, left) => write(item, left))}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    return `{${writeAll(entries, room, ([key, item], left) => `${JSON.stringify(key.slice(0, room))}:${write(item, left)}`)}}`;
  }
  return JSON.stringify(value) ?? 'undefined';
}

function writeAll<T>(items: readonly T[], room: number, one: (item: T, left: number) => string): string {
  let text = '';
  for (const item of items) {
    if (text.length > room) return `${text},…`;
    text += `${text === '' ? '' : ','}${one(item, room - text.length)}`;
  }
  return text;
}
