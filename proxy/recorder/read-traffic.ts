import { RECORDING_VERSION } from '@/lib/recording/format';
import { CHANGED_TEXT, incompleteSourceText, missingStringsText, renumberedText } from '@/lib/recording/labels';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { type OpenedTraffic, openTraffic } from '@/lib/replay/traffic/open-traffic';
import type { Frame } from '@/lib/wire/frame';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { openFile } from './open-file';

/** What of a recording can't be read or is not there, in sentences; none if it is whole. */
export function damageSentences({
  header,
  report,
  failure,
}: Pick<OpenedTraffic, 'header' | 'report' | 'failure'>): readonly string[] {
  const { damaged, withoutBlob, missing, renumberedFrom, torn, ended, changed } = report;
  return [
    ...(header.version > RECORDING_VERSION
      ? ['A newer mcp-inspect made this recording; what this one does not know of is left out.']
      : []),
    ...(header.selection ? ['It is a part of a recording: requests may be missing.'] : []),
    ...(changed ? [CHANGED_TEXT] : []),
    ...(damaged.count > 0 ? [`Damaged lines, which are left out: ${damaged.count}.`] : []),
    ...(withoutBlob > 0 ? [missingStringsText(withoutBlob)] : []),
    ...(missing > 0 ? [`Missing frames: ${missing}.`] : []),
    ...(renumberedFrom === undefined ? [] : [renumberedText(renumberedFrom)]),
    ...(ended && !torn ? [] : [torn ? CUT : WITHOUT_END]),
    ...(header.lacks ? [incompleteSourceText(header.lacks)] : []),
    ...(failure === undefined ? [] : [failure]),
  ];
}

const CUT = 'The recording is incomplete: its last line was cut off.';
const WITHOUT_END =
  'The recording has no end: it is still being written, or whoever wrote it was ended before; what it has until here can be read.';

/**
 * A recording in a file as a session. Rejects with a RecordingError for what is none, and with the system's error. `through`: what
 * every frame goes through.
 */
export async function readTrafficFile(path: string, through?: (frame: Frame) => Frame): Promise<OpenedTraffic> {
  return openTraffic((await openFile(path)).bytes, new RecordingReader(runningSha256()), through);
}
