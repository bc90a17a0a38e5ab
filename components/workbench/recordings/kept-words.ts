import { formatCount } from '@/components/ui/format';
import type { RecordingsDeleted, RecordingsLeaving } from '@/lib/wire/api';

const MIB = 1024 ** 2;

/** “less than 0.1 MiB”, “12.3 MiB”, “50 MiB”. */
export function mib(bytes: number): string {
  if (bytes < MIB / 20) return 'less than 0.1 MiB';
  return `${(bytes / MIB).toFixed(bytes % MIB === 0 ? 0 : 1)} MiB`;
}

/** “1 recording”, “1,234 recordings”. */
export function recordingsWords(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'recording' : 'recordings'}`;
}

/** What was deleted because somebody chose to keep less, or would be. */
export function leavingWords({ count, bytes }: RecordingsLeaving): string {
  return `${recordingsWords(count)}, ${mib(bytes)},`;
}

/** A sentence on what was deleted by age and size, up to a time that is given in words. */
export function deletedWords({ old, large, bytes, keep }: RecordingsDeleted, when: string): string {
  const count = old + large;
  const below = `to keep no more than ${mib(keep.bytes)}`;
  const age = `older than ${keep.days === 1 ? 'one day' : `${formatCount(keep.days)} days`}`;
  const why = old === 0 ? below : large === 0 ? age : `${formatCount(old)} ${age}, ${formatCount(large)} ${below}`;
  return `${leavingWords({ count, bytes })} ${count === 1 ? 'was' : 'were'} deleted by ${when}: ${why}.`;
}
