import type { DiffLine } from '@/lib/wire/api';
import { sameEnds } from '@/lib/wire/same-ends';
import type { ChangedPart } from './edit-entry';

/** Lines of a value that did not change, shown around those that did. */
const AROUND = 2;

/** Formats the changed parts of an entry as lines. */
export function entryDiff(parts: readonly ChangedPart[]): readonly DiffLine[] {
  return parts.flatMap(({ before, after }) => {
    const [old, now] = [linesOf(before), linesOf(after)];
    const { start, end } = sameEnds(old, now);
    return [
      ...signed(' ', old.slice(Math.max(0, start - AROUND), start)),
      ...signed('-', old.slice(start, old.length - end)),
      ...signed('+', now.slice(start, now.length - end)),
      ...signed(' ', old.slice(old.length - end, old.length - end + AROUND)),
    ];
  });
}

function signed(sign: DiffLine['sign'], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ sign, text }));
}

/** Splits a value into lines, and moves them left as far as the last one, which closes the value, is indented. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const [first = '', ...rest] = text.split(/\r?\n/);
  const indent = /^[ \t]*/.exec(rest.at(-1) ?? '')![0];
  return [first, ...rest.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))];
}
