import { useEffect, useMemo, useState } from 'react';
import type { Problem } from '@/lib/problems/problem';
import { JsonOutline } from '@/lib/store/json-outline';
import { atOnce, inSlices } from '@/lib/wire/in-slices';
import type { OutlineState } from '../use-outline';
import { type FieldMark, fieldMarks } from './field-marks';

/** Marks by the value they stand at. */
export type FieldMarks = ReadonlyMap<number, FieldMark>;

/** Values gone through at once, for all problems together, before anything is drawn. */
const AT_ONCE = 50_000;
const NONE: FieldMarks = new Map();

/** The fields of a frame that its problems are about: in a large one they are looked for in slices. */
export function useFieldMarks(outline: OutlineState, problems: readonly Problem[]): FieldMarks {
  const [late, setLate] = useState<{ readonly outline: OutlineState; readonly marks: FieldMarks }>();
  const small = useMemo(() => {
    if (!(outline instanceof JsonOutline) || problems.length === 0) return NONE;
    return outline.size * problems.length <= AT_ONCE ? atOnce(fieldMarks(outline, problems)) : undefined;
  }, [outline, problems]);
  useEffect(() => {
    if (small !== undefined || !(outline instanceof JsonOutline)) return;
    const stop = new AbortController();
    inSlices(fieldMarks(outline, problems), stop.signal).then(
      (marks) => marks && setLate({ outline, marks }),
      () => setLate(undefined),
    );
    return () => stop.abort();
  }, [small, outline, problems]);
  return small ?? (late?.outline === outline ? late.marks : NONE);
}
