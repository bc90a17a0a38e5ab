import { formatDuration } from '@/lib/wire/format';
import { singlesText } from '@/lib/wire/spread';
import type { ListedRecording } from './listed-recording';

/** Returns how long the calls of tools took: “p95 140 ms”, or each time if they are few. '' without a call. */
export function callTimes({ p95Ms, singlesMs }: Pick<ListedRecording, 'p95Ms' | 'singlesMs'>): string {
  if (singlesMs) return singlesText(singlesMs.map((ms) => ms * 1000));
  return p95Ms === undefined ? '' : `p95 ${formatDuration(p95Ms * 1000)}`;
}
