import type { RecordingEntry } from '@/lib/wire/api';
import type { ConnectionSummary } from '@/lib/wire/command';

/**
 * The connection that a kept recording is already, if it was opened before; undefined where opening it anew shows more: it was, or is,
 * being recorded.
 */
export function openedAlready(
  { id, live, incomplete }: Pick<RecordingEntry, 'id' | 'live' | 'incomplete'>,
  connections: readonly Pick<ConnectionSummary, 'id' | 'recording'>[],
): string | undefined {
  if (live) return undefined;
  const opened = connections.findLast(({ recording }) => recording?.file === id);
  const report = opened?.recording?.report;
  return report && (report.ended || incomplete === true) ? opened.id : undefined;
}
