import { usageError } from '@/proxy/cli/exit-code';
import { lastValue, type ParsedOptions, readCountOption } from '@/proxy/cli/grammar';

/** Most rows of a list. */
const MOST_ROWS = 1_000_000;

/** The rows that `--limit` chooses, counted from 1. */
export interface Limit {
  readonly first: number;
  readonly last: number;
}

/** Reads `--limit`: `20`, or `51-100`. `usual`: the limit without it. Throws an ExitError. */
export function readLimit(given: ParsedOptions, usual = MOST_ROWS): Limit {
  const limit = lastValue(given, 'limit') ?? String(usual);
  const [, from = '1', to = limit] = /^(\d+)-(\d+)$/.exec(limit) ?? [];
  const [first, last] = [readCountOption('limit', from, MOST_ROWS), readCountOption('limit', to, MOST_ROWS)];
  if (last < first) throw usageError(`\`--limit ${limit}\` has no rows: write the smaller number first.`);
  return { first, last };
}

/** Returns which of `count` rows a limit chooses. The first of them has the number `before` + 1. */
export function chosenOf({ first, last }: Limit, before: number, count: number): readonly [from: number, to: number] {
  const to = Math.max(0, Math.min(count, last - before));
  return [Math.min(to, Math.max(0, first - 1 - before)), to];
}

/** Says how to see as many rows more. */
export function moreText({ first, last }: Limit): string {
  return `For more: --limit ${last + 1}-${2 * last - first + 1}`;
}
