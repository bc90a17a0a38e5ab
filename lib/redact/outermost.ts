import type { Found } from './found';

/**
 * One secret for each place, in order: what lies within another goes, and what overlaps becomes one. Of two that are the same
 * stretch the one that is known by its shape stays.
 */
export function outermost(found: readonly Found[]): readonly Found[] {
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
