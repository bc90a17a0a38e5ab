import { CHANGED_WORDS, renumberedWords, withoutBlobWords } from '@/lib/recording/damage-words';
import { RECORDING_VERSION } from '@/lib/recording/format';
import { lacksWords } from '@/lib/recording/lacks-words';
import type { OpenedSession } from '@/lib/session/open-session';

/** What of a recording can't be read or is not there, in sentences; none if it is whole. */
export function damageNotes({
  header,
  report,
  failure,
}: Pick<OpenedSession, 'header' | 'report' | 'failure'>): readonly string[] {
  const { damaged, withoutBlob, missing, renumberedFrom, torn, ended, changed } = report;
  return [
    ...(header.version > RECORDING_VERSION
      ? ['A newer mcp-inspect made this recording; what this one does not know of is left out.']
      : []),
    ...(header.selection ? ['It is a part of a recording: requests may be missing.'] : []),
    ...(changed ? [CHANGED_WORDS] : []),
    ...(damaged.count > 0 ? [`Damaged lines, which are left out: ${damaged.count}.`] : []),
    ...(withoutBlob > 0 ? [withoutBlobWords(withoutBlob)] : []),
    ...(missing > 0 ? [`Missing frames: ${missing}.`] : []),
    ...(renumberedFrom === undefined ? [] : [renumberedWords(renumberedFrom)]),
    ...(ended && !torn ? [] : [torn ? CUT : WITHOUT_END]),
    ...(header.lacks ? [lacksWords(header.lacks)] : []),
    ...(failure === undefined ? [] : [failure]),
  ];
}

const CUT = 'The recording is incomplete: its last line was cut off.';
const WITHOUT_END =
  'The recording has no end: it is still being written, or whoever wrote it was ended before; what it has until here can be read.';
