import { type FieldTerm, partsOf } from '@/lib/filter/ast';
import { parseFilter } from '@/lib/filter/parse';
import { fieldTerm, withTerm } from '@/lib/filter/print';

/** A stretch of the log's time, in microseconds since the connection began; an open end is that of the log. */
export interface OpenRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const KEY = 'time';
const RANGE = /^(?:(\d+(?:\.\d+)?)s)?\.\.(?:(\d+(?:\.\d+)?)s)?$/;

/** The range that a filter text asks for as the timeline writes it, `time:1.2s..3.4s`; undefined if it doesn't, or if it has a fault. */
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

/** The same filter with another range of time, or without one. One with a fault gives way: nobody knows what it asks. */
export function withTimeRange(text: string, range: OpenRange | undefined): string {
  const value = range && rangeWords(range);
  const term = value === undefined || value === '..' ? undefined : fieldTerm(KEY, value);
  return withTerm(text, term, { key: KEY });
}

/** Rounded outwards, no finer than a pointer selects. */
function rangeWords({ from, to }: OpenRange): string {
  const step = to === undefined ? 1000 : 10 ** Math.max(0, Math.floor(Math.log10((to - (from ?? 0)) / 200)));
  return `${seconds(from, step, Math.floor)}..${seconds(to, step, Math.ceil)}`;
}

function seconds(us: number | undefined, step: number, round: (value: number) => number): string {
  return us === undefined ? '' : `${Number(((round(us / step) * step) / 1e6).toFixed(6))}s`;
}
