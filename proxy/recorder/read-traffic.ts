import { CHANGED_TEXT, incompleteSourceText, missingStringsText, renumberedText } from '@/lib/recording/labels';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { type OpenedTraffic, openTraffic } from '@/lib/replay/traffic/open-traffic';
import type { Frame } from '@/lib/wire/frame';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { openFile } from './open-file';

/** Describes what is unreadable or missing in a recording, in sentences; none if it is complete. */
export function damageSentences({
  header,
  report,
  failure,
}: Pick<OpenedTraffic, 'header' | 'report' | 'failure'>): readonly string[] {
  const { damaged, withoutBlob, missing, renumberedFrom, torn, ended, changed } = report;
  return [
    ...(header.selection ? ['This is a part of a recording, so requests may be missing.'] : []),
    ...(changed ? [CHANGED_TEXT] : []),
    ...(damaged.count > 0 ? [`Damaged lines left out: ${damaged.count}.`] : []),
    ...(withoutBlob > 0 ? [missingStringsText(withoutBlob)] : []),
    ...(missing > 0 ? [`Missing frames: ${missing}.`] : []),
    ...(renumberedFrom === undefined ? [] : [renumberedText(renumberedFrom)]),
    ...(ended && !torn ? [] : [torn ? CUT : WITHOUT_END]),
    ...(header.lacks ? [incompleteSourceText(header.lacks)] : []),
    ...(failure === undefined ? [] : [failure]),
  ];
}

const CUT = 'The recording is incomplete: its last line was cut off.';
const WITHOUT_END = 'The recording has no end. It is still being written, or its writer was stopped.';

/**
 * Reads the traffic of a recording in a file. `through` is applied to every frame. Rejects with a RecordingError for an
 * invalid recording, and with the system's error.
 */
export async function readTrafficFile(
  path: string,
  { through, onRead }: ReadTrafficOptions = {},
): Promise<OpenedTraffic> {
  const { bytes, length: of } = await openFile(path);
  const report = onRead && ((done: number) => onRead({ done, of }));
  return openTraffic(bytes, new RecordingReader(runningSha256()), through, report);
}

interface ReadTrafficOptions {
  readonly through?: (frame: Frame) => Frame;
  readonly onRead?: (progress: ReadingProgress) => void;
}
