import { formatBytes, formatCount, formatDuration } from '@/components/ui/format';
import type { RecordingEntry } from '@/lib/wire/api';
import { recordingMarks } from './recordings/recording-marks';
import { otherNames } from './recordings/recording-names';

/** What else a kept recording is called, when it was made, how long it is, and how large. */
export function recordingFacts(entry: RecordingEntry): string {
  const { at, durationUs, frames, bytes } = entry;
  const when = new Date(at);
  const facts = [
    ...recordingMarks(entry, undefined).map(({ word }) => word),
    otherNames(entry),
    !Number.isNaN(when.getTime()) && when.toLocaleString(),
    durationUs !== undefined && formatDuration(durationUs),
    frames !== undefined && (frames === 1 ? 'one frame' : `${formatCount(frames)} frames`),
    formatBytes(bytes),
  ];
  return facts.filter(Boolean).join(' · ');
}
