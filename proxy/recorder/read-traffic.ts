import {
  CHANGED_TEXT,
  earlyText,
  forgottenText,
  incompleteSourceText,
  missingStringsText,
  renumberedText,
  unlookedText,
} from '@/lib/recording/labels';
import { type FileCheck, Outline } from '@/lib/recording/large/outline';
import type { FileAtHand } from '@/lib/recording/large/recorded-lines';
import { isHar, recordingBytes } from '@/lib/recording/recording-bytes';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import { type OpenedTraffic, openTraffic, outlineTraffic } from '@/lib/replay/traffic/open-traffic';
import type { Frame } from '@/lib/wire/frame';
import { isGzip } from '@/lib/wire/gzip';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress, RecordingReport } from '@/lib/wire/recording-facts';
import { inflateOnThread, runningSha256 } from '@/proxy/files/native-codecs';
import { type OpenedFile, openFile } from './open-file';

/** Describes what is unreadable or missing in a recording, in sentences; none if it is complete. */
export function damageSentences({
  header,
  report,
  failure,
}: Pick<OpenedTraffic, 'header' | 'report' | 'failure'>): readonly string[] {
  return [
    ...(header.selection ? ['This is a part of a recording, so requests may be missing.'] : []),
    ...(report ? [...lossSentences(report), ...secretSentences(report)] : []),
    ...(header.lacks ? [incompleteSourceText(header.lacks)] : []),
    ...(failure === undefined ? [] : [failure]),
  ];
}

/** Describes in one line what is unreadable or missing in a recording that was read; undefined if it is complete. */
export function lossText({ reader: { header }, report, failure }: TolerantReader): string | undefined {
  const sentences = [
    ...(report ? lossSentences(report) : []),
    ...(header?.lacks ? [incompleteSourceText(header.lacks)] : []),
    ...(failure === undefined ? [] : [failure]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function lossSentences(report: RecordingReport): readonly string[] {
  const { damaged, withoutBlob, missing, renumberedFrom, torn, ended, changed } = report;
  return [
    ...(changed ? [CHANGED_TEXT] : []),
    ...(damaged.count > 0 ? [`Damaged lines left out: ${damaged.count}.`] : []),
    ...(withoutBlob > 0 ? [missingStringsText(withoutBlob)] : []),
    ...(missing > 0 ? [`Missing frames: ${missing}.`] : []),
    ...(renumberedFrom === undefined ? [] : [renumberedText(renumberedFrom)]),
    ...(ended && !torn ? [] : [torn ? CUT : WITHOUT_END]),
  ];
}

/** Describes secrets that a recording may still have, in sentences. */
export function secretSentences({ forgotten, early, unlooked }: SecretFacts): readonly string[] {
  return [
    ...(forgotten ? [forgottenText(forgotten)] : []),
    ...(early ? [earlyText(early.length)] : []),
    ...(unlooked ? [unlookedText(unlooked)] : []),
  ];
}

type SecretFacts = { readonly [Fact in 'forgotten' | 'early' | 'unlooked']?: RecordingReport[Fact] | undefined };

/** Describes damage that a reading of the whole file found, after a recording was read by its index. */
export function checkSentences({ isChanged }: FileCheck): readonly string[] {
  if (isChanged === undefined) return [NO_CHECKSUM];
  return isChanged ? [CHANGED_TEXT] : [];
}

const NO_CHECKSUM = 'The recording has no checksum, so damage in it is not noticed.';
const CUT = 'The recording is incomplete: its last line was cut off.';
const WITHOUT_END = 'The recording has no end. It is still being written, or its writer was stopped.';

/**
 * Reads the traffic of a recording in a file: by its index if it has one. `through` is applied to every frame, which
 * takes a whole reading. Rejects with a RecordingError for an invalid recording, and with the system's error.
 */
export async function readTrafficFile(
  path: string,
  { through, onRead, wholeBytes }: ReadTrafficOptions = {},
): Promise<OpenedTraffic> {
  const file = await openFile(path);
  const outlined = through ? undefined : await outlinedTraffic(file, wholeBytes);
  if (outlined) {
    await file.bytes.cancel();
    return outlined;
  }
  const { bytes, length: of, convertArchive } = file;
  const lines = await longPlainFile(file);
  try {
    return await openTraffic(bytes, {
      reader: new RecordingReader(runningSha256()),
      lines,
      through,
      onRead: onRead && ((done) => onRead({ done, of })),
      convertArchive,
    });
  } catch (error) {
    await lines?.close();
    throw error;
  }
}

/**
 * Reads the frames of a file in portions. The reader keeps what was read before an error, and stops once `isFull`
 * returns true. `mostBytes`: of the recording, unpacked, if it may be longer than one that is held.
 */
export function readPortions(
  { bytes, length: of }: Pick<OpenedFile, 'bytes' | 'length'>,
  onRead: (progress: ReadingProgress) => void,
  isFull?: () => boolean,
  mostBytes?: number,
) {
  const reader = new TolerantReader(new RecordingReader(runningSha256()), isFull);
  const read = { onRead: (done: number) => onRead({ done, of }), ...(mostBytes !== undefined && { mostBytes }) };
  const portions = reader.portions(recordingBytes(bytes, read));
  return { reader, portions };
}

/** Opens a long file again, to read any line; undefined if it is short, gzipped, or an HTTP Archive. */
async function longPlainFile({ parts, length }: OpenedFile): Promise<FileAtHand | undefined> {
  if (length < HELD_FILE_BYTES) return undefined;
  const file = await parts();
  const beginning = await file.read(0, Math.min(file.size, BEGINNING_BYTES));
  if (!isGzip(beginning) && !isHar(beginning)) return file;
  await file.close();
  return undefined;
}

/** Bytes of a file whose texts are read again from it instead of being held. */
const HELD_FILE_BYTES = 16 * 1024 * 1024;
/** Bytes that show what kind of file this is. */
const BEGINNING_BYTES = 512;

interface ReadTrafficOptions {
  readonly through?: (frame: Frame) => Frame;
  readonly onRead?: (progress: ReadingProgress) => void;
  /** See {@link openOutline}. */
  readonly wholeBytes?: number;
}

/** Resolves with undefined if the file has no index, or a wrong one. The traffic needs the file open. */
async function outlinedTraffic(file: OpenedFile, wholeBytes?: number): Promise<OpenedTraffic | undefined> {
  const outline = await openOutline(file, wholeBytes);
  const traffic = outline && (await outlineTraffic(outline, runningSha256));
  if (!traffic) await outline?.close();
  return traffic;
}

/**
 * Opens a recording by its index; undefined if it has none, or fewer than `wholeBytes`. Rejects as {@link openFile}
 * does.
 */
export async function openOutline(
  { parts, length }: OpenedFile,
  wholeBytes = LIMITS.wholeRecordingBytes,
): Promise<Outline | undefined> {
  if (length < wholeBytes) return undefined;
  const file = await parts();
  const outline = await Outline.of(file, inflateOnThread);
  if (!outline) await file.close();
  return outline;
}
