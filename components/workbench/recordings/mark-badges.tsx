import { Badge } from '@/components/ui/badge';
import type { CheckedRecording } from '@/lib/hooks/use-checked-recording';
import type { RecordingEntry } from '@/lib/wire/api';
import { recordingMarks } from './recording-marks';

/** What is special about a recording, beside its name. */
export function MarkBadges({
  entry,
  checked,
}: {
  readonly entry: RecordingEntry;
  /** What was found when all of it was read, if it was. */
  readonly checked: CheckedRecording | undefined;
}) {
  const marks = recordingMarks(entry, checked);
  return marks.map(({ tone, word, why }) => (
    <Badge key={word} tone={tone} title={why}>
      {word}
    </Badge>
  ));
}
