import { sameEnds } from '@/lib/wire/same-ends';

/** Unchanged lines around a change, as diff programs show them. */
const CONTEXT = 3;
/** Cells of the table that compares two texts. Beyond, all lines from the first to the last change count as changed. */
const MOST_CELLS = 4_000_000;

type Line = readonly [sign: ' ' | '-' | '+', text: string];

/** A part of two texts: its lines are compared with each other only. Each text is empty or ends with a line feed. */
interface ChangedText {
  readonly before: string;
  readonly after: string;
}

/**
 * Writes a unified diff of a text in parts, as `diff -u` does, with the name of the file that `patch` would change.
 * Returns '' for equal texts.
 */
export function unifiedDiff(name: string, parts: readonly ChangedText[]): string {
  if (parts.every(({ before, after }) => before === after)) return '';
  const lines = parts.flatMap(({ before, after }) => changedLines(linesOf(before), linesOf(after)));
  return `--- a/${name}\n+++ b/${name}\n${hunks(lines).join('')}`;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.slice(0, -1).split('\n');
}

function changedLines(old: readonly string[], now: readonly string[]): readonly Line[] {
  const { start, end } = sameEnds(old, now);
  return [
    ...old.slice(0, start).map((text): Line => [' ', text]),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map((text): Line => [' ', text]),
  ];
}

/** Aligns lines by their longest common subsequence. */
function middle(old: readonly string[], now: readonly string[]): readonly Line[] {
  const width = now.length + 1;
  if ((old.length + 1) * width > MOST_CELLS) return [...signed('-', old), ...signed('+', now)];
  const longest = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const [down, right] = [longest[(i + 1) * width + j]!, longest[i * width + j + 1]!];
      longest[i * width + j] = old[i] === now[j] ? longest[(i + 1) * width + j + 1]! + 1 : Math.max(down, right);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push([' ', old[i]!]);
      i++;
      j++;
    } else if (j >= now.length || (i < old.length && longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)) {
      lines.push(['-', old[i++]!]);
    } else lines.push(['+', now[j++]!]);
  }
  return lines;
}

function signed(sign: '-' | '+', lines: readonly string[]): readonly Line[] {
  return lines.map((text) => [sign, text]);
}

/** Groups changes with their context. Line numbers start at 1. */
function hunks(lines: readonly Line[]): readonly string[] {
  const changes = lines.flatMap(([sign], index) => (sign === ' ' ? [] : [index]));
  const found: string[] = [];
  let [at, oldLine, newLine] = [0, 1, 1];
  for (let first = 0; first < changes.length; ) {
    let last = first;
    while (last + 1 < changes.length && changes[last + 1]! - changes[last]! <= 2 * CONTEXT + 1) last++;
    const [from, to] = [Math.max(0, changes[first]! - CONTEXT), Math.min(lines.length, changes[last]! + CONTEXT + 1)];
    // Everything before the hunk is unchanged.
    [oldLine, newLine] = [oldLine + from - at, newLine + from - at];
    const part = lines.slice(from, to);
    const [olds, news] = [countWithout(part, '+'), countWithout(part, '-')];
    const body = part.map(([sign, text]) => `${sign}${text}\n`).join('');
    found.push(`@@ -${range(oldLine, olds)} +${range(newLine, news)} @@\n${body}`);
    [at, oldLine, newLine] = [to, oldLine + olds, newLine + news];
    first = last + 1;
  }
  return found;
}

function countWithout(lines: readonly Line[], left: string): number {
  return lines.filter(([sign]) => sign !== left).length;
}

/** A range without lines is written with the line before it. */
function range(start: number, count: number): string {
  return count === 0 ? `${start - 1},0` : `${start},${count}`;
}
