import type { RuleId } from './rules';

/** A secret at a place of a frame. */
export interface Found {
  readonly rule: RuleId;
  /** As it is meant, escapes read: byte text. */
  readonly value: string;
  /** Offsets in the frame's bytes. */
  readonly from: number;
  readonly to: number;
  /** Only a reason to ask when a recording is shared. */
  readonly weak?: boolean;
  /** It is no string but a number: what takes its place has to stand between these, escaped as deep as it is in strings of JSON. */
  readonly quote?: string;
  /** It looks like one, whatever it is called. */
  readonly shape?: boolean;
  /** Where it stands, for people: `params.arguments.apiKey`; of text that is no JSON ''. To be called at once. */
  readonly place: () => string;
}

/** What is looked for, and who is told. */
export interface Scan {
  /** Finds it in a text; places are of that text. Called for each string, each name, and each text that is no JSON. */
  readonly inText?: (text: string, report: (rule: RuleId, from: number, to: number, value?: string) => void) => void;
  /** Names and shapes that prove nothing are wanted, too. */
  readonly weak: boolean;
  readonly found: (found: Found) => void;
}

/**
 * One secret for each place, in order: what lies within another goes, and what overlaps becomes one. Of two that are the same
 * stretch the one that is known by its shape stays.
 */
export function mergeOverlaps(found: readonly Found[]): readonly Found[] {
  const ordered = found.toSorted(
    (a, b) => a.from - b.from || b.to - a.to || Number(b.shape ?? 0) - Number(a.shape ?? 0),
  );
  const kept: Found[] = [];
  for (const next of ordered) {
    const last = kept.at(-1);
    if (!last || next.from >= last.to) kept.push(next);
    else if (next.to > last.to) kept[kept.length - 1] = { ...last, to: next.to };
  }
  return kept;
}
