import { formatDuration } from './format';

/** Numbers from which quantiles say something. Fewer are shown one by one. */
export const FEWEST_FOR_QUANTILES = 5;

/** The spread of numbers: exact quantiles. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
  /** All of them as given, if they are fewer than {@link FEWEST_FOR_QUANTILES}. */
  readonly singles?: readonly number[];
}

/** Returns the spread of numbers, each quantile one of them; undefined without any. */
export function spreadOf(numbers: readonly number[]): Spread | undefined {
  if (numbers.length === 0) return undefined;
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  const isFew = numbers.length < FEWEST_FOR_QUANTILES;
  return {
    min: sorted[0]!,
    median: at(0.5),
    p95: at(0.95),
    max: sorted.at(-1)!,
    ...(isFew && { singles: numbers }),
  };
}

/** Durations in microseconds, as they are shown. */
export interface DurationFigures {
  /** Each of them, if they are fewer than {@link FEWEST_FOR_QUANTILES}. */
  readonly singles?: readonly number[] | undefined;
  /** undefined without any. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
}

/** Formats durations: “p50 12 ms, p95 140 ms”, or each of them if they are few: “12 ms, 14 ms”. '' without any. */
export function durationsText({ singles, p50, p95 }: DurationFigures): string {
  if (singles) return singlesText(singles);
  return p50 === undefined || p95 === undefined ? '' : `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95)}`;
}

/** Formats durations in microseconds one by one: “12 ms, 14 ms”. */
export function singlesText(singles: readonly number[]): string {
  return singles.map(formatDuration).join(', ');
}
