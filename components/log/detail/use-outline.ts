import { useEffect, useMemo, useState } from 'react';
import { JsonOutline, type OutlineFailure, readOutline } from '@/lib/json/outline';
import { nodeAt } from '@/lib/json/outline-path';
import type { Problem } from '@/lib/problems/problem';
import { isLarge } from '@/lib/store/classify';
import { runInSlices, runToEnd } from '@/lib/wire/in-slices';

/** A frame's outline, the reason there is none, or the bytes read so far. `failed` means a bug in mcp-inspect. */
export type OutlineState = JsonOutline | OutlineFailure | 'failed' | { readonly read: number };

/**
 * Reads bytes into an outline. Large frames are read in slices, without blocking the page. Pass the same object each
 * time.
 */
export function useOutline(bytes: Uint8Array): OutlineState {
  const small = useMemo(() => (isLarge(bytes) ? undefined : runToEnd(readOutline(bytes))), [bytes]);
  const [large, setLarge] = useState<{ readonly bytes: Uint8Array; readonly state: OutlineState }>();
  useEffect(() => {
    if (!isLarge(bytes)) return;
    const stop = new AbortController();
    const setState = (state: OutlineState) => setLarge({ bytes, state });
    runInSlices(readOutline(bytes), stop.signal, (read) => setState({ read })).then(
      (state) => state && setState(state),
      () => setState('failed'),
    );
    return () => stop.abort();
  }, [bytes]);
  return small ?? (large?.bytes === bytes ? large.state : { read: 0 });
}

/** Marks by outline node. */
export type FieldMarks = ReadonlyMap<number, FieldMark>;

/** Most nodes to search synchronously, over all problems. */
const SYNC_NODES = 50_000;
const NONE: FieldMarks = new Map();

/** Finds the fields that problems are about. Large frames are searched in slices. */
export function useFieldMarks(outline: OutlineState, problems: readonly Problem[]): FieldMarks {
  const [late, setLate] = useState<{ readonly outline: OutlineState; readonly marks: FieldMarks }>();
  const small = useMemo(() => {
    if (!(outline instanceof JsonOutline) || problems.length === 0) return NONE;
    return outline.size * problems.length <= SYNC_NODES ? runToEnd(fieldMarks(outline, problems)) : undefined;
  }, [outline, problems]);
  useEffect(() => {
    if (small !== undefined || !(outline instanceof JsonOutline)) return;
    const stop = new AbortController();
    runInSlices(fieldMarks(outline, problems), stop.signal).then(
      (marks) => marks && setLate({ outline, marks }),
      () => setLate(undefined),
    );
    return () => stop.abort();
  }, [small, outline, problems]);
  return small ?? (late?.outline === outline ? late.marks : NONE);
}

/** A problem with a value, or with a member it lacks. */
export interface FieldMark {
  readonly text: string;
  readonly severe: boolean;
}

/**
 * Maps problems, except hints, to the nodes they are about. A missing field is marked on its parent. Batches have no
 * marks, because a problem doesn't say which message it belongs to. Yields now and then.
 */
export function* fieldMarks(
  outline: JsonOutline,
  problems: readonly Problem[],
): Generator<undefined, ReadonlyMap<number, FieldMark>> {
  const marks = new Map<number, FieldMark>();
  if (outline.kind(0) !== 'object') return marks;
  for (const { path, message, severity } of problems) {
    if (path === undefined || severity === 'info') continue;
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

/**
 * Returns the bytes to mark: the name and value of a scalar, only the name (or first bracket) of an object or array.
 */
export function markRange(outline: JsonOutline, node: number): { readonly from: number; readonly to: number } {
  const name = outline.nameStart(node);
  const from = name ?? outline.start(node);
  if (!outline.isBranch(node)) return { from, to: outline.end(node) };
  return { from, to: name === undefined ? from + 1 : outline.nameEnd(node) + 1 };
}
