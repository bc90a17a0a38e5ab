import type { RecordingLacks, RecordingReport } from '@/lib/wire/recording-facts';

/** What a recording lacks, and lacked before it was made anew; undefined for a whole one. Without a report it was not read to its end. */
export function recordingLacks(
  report: RecordingReport | undefined,
  before?: RecordingLacks,
): RecordingLacks | undefined {
  return lacksOf({
    ended: report?.ended === true && before?.end !== true,
    damaged: (report?.damaged.count ?? 0) + (before?.damaged ?? 0),
    missing: (report?.missing ?? 0) + (before?.missing ?? 0),
  });
}

/** The same of its parts: nothing is said of what it has. */
export function lacksOf({
  ended,
  damaged,
  missing,
}: {
  readonly ended: boolean;
  readonly damaged: number;
  readonly missing: number;
}): RecordingLacks | undefined {
  if (ended && damaged === 0 && missing === 0) return undefined;
  return { ...(!ended && { end: true }), ...(damaged > 0 && { damaged }), ...(missing > 0 && { missing }) };
}
