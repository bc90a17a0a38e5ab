import type { EvalSummary } from '@/features/evals/lib/evals-api';
import type { EvalTotals } from '@/features/evals/lib/report';
import { countOf } from '@/lib/wire/format';

/** A share in whole percents. 100 only for all, and 0 only for none. */
export function wholePercent(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1) return '99%';
  if (rounded === 0 && share > 0) return '1%';
  return `${rounded}%`;
}

/** An interval, such as `15–85%`. */
export function intervalText([low, high]: EvalTotals['interval']): string {
  return `${Math.round(low * 100)}–${wholePercent(high)}`;
}

/** Tokens, with `~` if some were estimated. */
export function usedTokensText({
  input,
  output,
  exact = true,
}: {
  input: number;
  output: number;
  exact?: boolean;
}): string {
  const mark = exact ? '' : '~';
  return `${mark}${input.toLocaleString('en')} in, ${mark}${output.toLocaleString('en')} out`;
}

/** The pass rate of an eval among all its runs, such as `67% of 3 runs`. */
export function rateText({ made, passed }: Pick<EvalSummary, 'made' | 'passed'>): string {
  return made === 0 ? 'no runs' : `${wholePercent(passed / made)} of ${countOf(made, 'run')}`;
}
