import { formatCount } from '@/components/ui/format';
import type { RecordingsDeleted, RecordingsLeaving } from '@/lib/wire/api';
import { formatBytes } from '@/lib/wire/format-bytes';

/** “1 recording”, “1,234 recordings”. */
export function recordingsWords(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'recording' : 'recordings'}`;
}

/** What was deleted because somebody chose to keep less, or would be. */
export function leavingWords({ count, bytes }: RecordingsLeaving): string {
  return `${recordingsWords(count)}, ${formatBytes(bytes)},`;
}

/** A sentence on what was deleted by age and size, up to a time that is given in words. */
export function deletedWords({ old, large, bytes, keep }: RecordingsDeleted, when: string): string {
  const count = old + large;
  const below = `to keep no more than ${formatBytes(keep.bytes)}`;
  const age = `older than ${keep.days === 1 ? 'one day' : `${formatCount(keep.days)} days`}`;
  const why = old === 0 ? below : large === 0 ? age : `${formatCount(old)} ${age}, ${formatCount(large)} ${below}`;
  return `${leavingWords({ count, bytes })} ${count === 1 ? 'was' : 'were'} deleted by ${when}: ${why}.`;
}
