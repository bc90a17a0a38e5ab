/** The spread of numbers: exact quantiles. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Returns the spread of numbers, each quantile one of them; undefined without any. */
export function spreadOf(numbers: readonly number[]): Spread | undefined {
  if (numbers.length === 0) return undefined;
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  return { min: sorted[0]!, median: at(0.5), p95: at(0.95), max: sorted.at(-1)! };
}
