/** Why so many of the damaged lines are, as one sentence. */
export function withoutBlobWords(lines: number): string {
  return lines === 1
    ? 'A line refers to a long string that is not in the file.'
    : `${lines} of them refer to long strings that are not in the file.`;
}

/** Why numbers are not those of the file. */
export function renumberedWords(from: number): string {
  return `So many frames are missing that not each of them has a place here: from frame ${from} on, numbers are lower than in the file.`;
}

/** What follows from bytes that are others than those written. */
export const CHANGED_WORDS =
  'The file was changed since it was written: its end vouches for other bytes. Compare it with the original before you rely on it.';
