import { countOf, formatBytes, formatCount } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingLacks, RecordingReport } from '@/lib/wire/recording-facts';

/** Returns a sentence about damaged lines that refer to a missing string. */
export function missingStringsText(lines: number): string {
  return lines === 1
    ? '1 line refers to a long string that is not in the file.'
    : `${lines} lines refer to long strings that are not in the file.`;
}

/** Explains why frame numbers differ from those in the file. */
export function renumberedText(from: number): string {
  return `Too many frames are missing to show each one. From frame ${from} on, numbers are lower than in the file.`;
}

/** Advice about a file whose bytes do not match its end line. */
export const CHANGED_TEXT =
  'This file was changed after it was written: its checksum does not match. Compare it with the original before you rely on it.';

/** Says that repeats of secrets may be in a recording, because there were too many to remember. */
export function forgottenText(forgotten: number): string {
  const oldest = forgotten === 1 ? 'the oldest one' : `the oldest ${formatCount(forgotten)}`;
  return `There were more than ${formatCount(LIMITS.redactedValues)} secrets, so later repeats of ${oldest} may not be masked. Review the recording before sharing it.`;
}

/** Says that secrets stayed in a recording because their name came later. */
export function earlyText(places: number): string {
  return places === 1
    ? '1 secret was recorded before its name, so this file has it. A shared copy does not.'
    : `${places} secrets were recorded before their names, so this file has them. A shared copy does not.`;
}

/** Says where nobody looked for secrets that got their names later. */
export function unlookedText(part: NonNullable<RecordingReport['unlooked']>): string {
  return part === 'all'
    ? 'It has no end, so secrets that were recorded before their names may be in it. Look for them before you share it.'
    : `Secrets that were recorded before their names were looked for in the first ${formatBytes(LIMITS.earlyBytes)} only. Look for others before you share it.`;
}

/** Says how many of several recordings lack something; undefined if none does. */
export function lossesText(lacking: number, of: number): string | undefined {
  if (lacking === 0) return undefined;
  const which =
    of === 1
      ? 'The recording is'
      : `${formatCount(lacking)} of ${countOf(of, 'recording')} ${lacking === 1 ? 'is' : 'are'}`;
  return `${which} incomplete: frames or the end are missing.`;
}

/** Returns a sentence about the parts that the source of a recording lacked. */
export function incompleteSourceText({ end, damaged = 0, missing = 0 }: RecordingLacks): string {
  const parts = [
    ...(end ? ['its end was missing'] : []),
    ...(damaged > 0 ? [damaged === 1 ? '1 line was damaged' : `${damaged} lines were damaged`] : []),
    ...(missing > 0 ? [missing === 1 ? '1 frame was missing' : `${missing} frames were missing`] : []),
  ];
  return `It was made from an incomplete recording: ${parts.join(', ')}.`;
}
