import { statusWords } from '@/components/log/row-words';
import { formatCount, formatDuration, formatTime } from '@/components/ui/format';
import type { Span } from '@/lib/store/spans';

/** What the waterfall shows of a row, in words. */
export function spanWords({ whole, parts, asked, ticks, at }: Span): string {
  if (at !== undefined) return whole?.to === at ? `end of ${stretchWords(whole)}` : `at ${formatTime(at)}`;
  const first = parts[0];
  if (!first) return '';
  const words = [stretchWords(whole ?? first)];
  if (first.status && first.to !== undefined) words.push(statusWords(first.status).words);
  if (parts.length > 1) words.push(`${parts.length} requests`);
  if (asked.length > 0) words.push(`asked by the server: ${formatCount(asked.length)}`);
  if (ticks.length > 0) words.push(`notifications: ${formatCount(ticks.length)}`);
  return words.join(', ');
}

function stretchWords({ from, to }: { readonly from: number; readonly to: number | undefined }): string {
  return to === undefined
    ? `in flight since ${formatTime(from)}`
    : `${formatDuration(to - from)} from ${formatTime(from)}`;
}
