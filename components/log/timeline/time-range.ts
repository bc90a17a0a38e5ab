import { type FieldTerm, partsOf } from '@/lib/filter/language/ast';
import { parseFilter } from '@/lib/filter/parse';
import { fieldTerm, withTerm } from '@/lib/filter/print';

/** A range of the log's time, in µs since the connection started. An open end is the log's. */
export interface OpenRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const KEY = 'time';
const RANGE = /^(?:(\d+(?:\.\d+)?)s)?\.\.(?:(\d+(?:\.\d+)?)s)?$/;

/**
 * Returns the range of the filter's `time:1.2s..3.4s` term. undefined without such a term or if the filter is invalid.
 */
export function timeRangeOf(text: string): OpenRange | undefined {
  const parsed = parseFilter(text);
  const parts = partsOf(parsed.ok ? parsed.filter : undefined);
  const term = parts.find((part): part is FieldTerm => part.type === 'field' && part.key === KEY);
  const [, from, to] = (term && RANGE.exec(term.value)) ?? [];
  if (from === undefined && to === undefined) return undefined;
  return {
    from: from === undefined ? undefined : Number(from) * 1e6,
    to: to === undefined ? undefined : Number(to) * 1e6,
  };
}

/** Sets or removes the filter's time range. An invalid filter is replaced, because it can't be parsed. */
export function withTimeRange(text: string, range: OpenRange | undefined): string {
  const value = range && formatRange(range);
  const term = value === undefined || value === '..' ? undefined : fieldTerm(KEY, value);
  return withTerm(text, term, { key: KEY });
}

/** Formats a range as `1.2s..3.4s`, rounded outwards to what a pointer can select. */
function formatRange({ from, to }: OpenRange): string {
  const step = to === undefined ? 1000 : 10 ** Math.max(0, Math.floor(Math.log10((to - (from ?? 0)) / 200)));
  return `${seconds(from, step, Math.floor)}..${seconds(to, step, Math.ceil)}`;
}

function seconds(us: number | undefined, step: number, round: (value: number) => number): string {
  return us === undefined ? '' : `${Number(((round(us / step) * step) / 1e6).toFixed(6))}s`;
}
