import type { RecordingLacks } from '@/lib/wire/recording-facts';

/** How many damaged lines refer to a missing string, as one sentence. */
export function missingStringsText(lines: number): string {
  return lines === 1
    ? 'A line refers to a long string that is not in the file.'
    : `${lines} of them refer to long strings that are not in the file.`;
}

/** Why frame numbers differ from those in the file. */
export function renumberedText(from: number): string {
  return `So many frames are missing that not each of them has a place here: from frame ${from} on, numbers are lower than in the file.`;
}

/** What to do about a file whose bytes do not match its end line. */
export const CHANGED_TEXT =
  'The file was changed since it was written: its end vouches for other bytes. Compare it with the original before you rely on it.';

/** What was missing in the recording that this one was made from, as one sentence. */
export function incompleteSourceText({ end, damaged = 0, missing = 0 }: RecordingLacks): string {
  const parts = [
    ...(end ? ['its writer did not come to the end'] : []),
    ...(damaged > 0 ? [damaged === 1 ? 'one line was damaged' : `${damaged} lines were damaged`] : []),
    ...(missing > 0 ? [missing === 1 ? 'one frame was missing' : `${missing} frames were missing`] : []),
  ];
  return `It was made from a recording that is incomplete: ${parts.join(', ')}.`;
}
