import { type Comparison, callName, comparedNothing, isEqual } from '@/lib/compare/compare-sessions';

/** A comparison for programs: one line of JSON. Characters that a terminal would act on are escaped. */
export function comparisonJson(comparison: Comparison): string {
  const { catalogue, listed, unlisted, calls } = comparison;
  const shown = {
    equal: isEqual(comparison),
    nothingCompared: comparedNothing(comparison),
    catalogue,
    listed,
    unlisted,
    calls: calls.map(({ before, after, verdict, skipped, ends, differences }) => ({
      call: callName((before ?? after)!),
      verdict,
      ...(skipped !== undefined && { why: skipped }),
      ...(before && { before: before.seq }),
      ...(after && { after: after.seq }),
      ...(ends && { ends }),
      ...(differences.length > 0 && { differences }),
    })),
  };
  return JSON.stringify(shown).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
