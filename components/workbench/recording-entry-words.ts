import { formatBytes, formatCount, formatDuration } from '@/components/ui/format';
import type { RecordingEntry } from '@/lib/wire/api';

/** When a kept recording was made, how long it is, and how large. */
export function recordingFacts({ at, durationUs, frames, bytes, live }: RecordingEntry): string {
  const when = new Date(at);
  const facts = [
    live && 'being recorded',
    !Number.isNaN(when.getTime()) && when.toLocaleString(),
    durationUs !== undefined && formatDuration(durationUs),
    frames !== undefined && `${formatCount(frames)} frames`,
    formatBytes(bytes),
  ];
  return facts.filter(Boolean).join(' · ');
}
