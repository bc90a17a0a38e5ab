import { formatCount, formatDuration } from '@/components/ui/format';
import type { CheckedRecording } from '@/lib/hooks/use-checked-recording';
import type { RecordingEntry } from '@/lib/wire/api';
import { formatBytes } from '@/lib/wire/format-bytes';
import { otherNames } from './recording-names';

/** Each a fact: what else a kept recording is called, when it was made, how long it is, how large; `checked` is what is known once it was read. */
export function recordingFacts(entry: RecordingEntry, checked: CheckedRecording | undefined): readonly string[] {
  const when = new Date(entry.at);
  const { durationUs, frames } = { ...entry, ...checked };
  return [
    otherNames(entry),
    !Number.isNaN(when.getTime()) && when.toLocaleString(),
    durationUs !== undefined && formatDuration(durationUs),
    frames !== undefined && (frames === 1 ? 'one frame' : `${formatCount(frames)} frames`),
    formatBytes(entry.bytes),
  ].flatMap((fact) => fact || []);
}
