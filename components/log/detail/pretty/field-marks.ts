import type { Problem } from '@/lib/problems/problem';
import type { JsonOutline } from '@/lib/store/json-outline';
import { nodeAt } from '@/lib/store/outline-path';

/** A remark on a value: what is wrong with it, or with what it lacks. */
export interface FieldMark {
  readonly text: string;
  readonly severe: boolean;
}

/**
 * Problems as remarks on the values that they are about, by node; of a missing field, on what lacks it. A problem of one message
 * in a batch doesn't say of which. Yields now and then.
 */
export function* fieldMarks(
  outline: JsonOutline,
  problems: readonly Problem[],
): Generator<undefined, ReadonlyMap<number, FieldMark>> {
  const marks = new Map<number, FieldMark>();
  if (outline.kind(0) !== 'object') return marks;
  for (const { path, message, severity } of problems) {
    if (path === undefined) continue;
    const node = yield* nodeAt(outline, path);
    if (node === 0) continue;
    const before = marks.get(node);
    marks.set(node, {
      text: before === undefined ? message : `${before.text} ${message}`,
      severe: severity === 'error' || before?.severe === true,
    });
  }
  return marks;
}

/** Where a mark stands in the bytes: a plain value with its name; of an object or array only the name, or how it begins. */
export function markRange(outline: JsonOutline, node: number): { readonly from: number; readonly to: number } {
  const name = outline.nameStart(node);
  const from = name ?? outline.start(node);
  if (!outline.isBranch(node)) return { from, to: outline.end(node) };
  return { from, to: name === undefined ? from + 1 : outline.nameEnd(node) + 1 };
}
