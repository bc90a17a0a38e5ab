import type { Outline } from '@/lib/recording/large/outline';
import { recordingLacks } from '@/lib/recording/read-header';
import { recordingBytes } from '@/lib/recording/recording-bytes';
import { RecordingReader, unlookedPart } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import { type FrameSelection, OPENING_WORDS, SelectionCompleter } from '@/lib/sharing/selection';
import type { CompletedSelection, ShareSource } from '@/lib/sharing/share-job';
import { parseJson } from '@/lib/store/classify';
import type { Frame } from '@/lib/wire/frame';
import type { ReadingProgress, RecordingReport } from '@/lib/wire/recording-facts';
import { runningSha256 } from '@/proxy/files/native-codecs';
import { type OpenedFile, openFile } from '@/proxy/recorder/open-file';
import { damageSentences, openOutline, secretSentences } from '@/proxy/recorder/read-traffic';

/** A recording in a file, to be shared. */
export interface FileSource extends ShareSource {
  /** Sentences about damaged or missing parts, known after all frames were read. */
  readonly notes: readonly string[];
  /** Closes the file. */
  close(): Promise<void>;
}

/**
 * Opens a recording in a file at its present length. Each pass reads the file again. Rejects, like its frames, with a
 * RecordingError if it is not a recording or was replaced, with the system’s error, and with the reason of `signal`.
 * `onRead` gets the progress of each pass.
 */
export async function fileSource(
  path: string,
  onRead: (progress: ReadingProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<FileSource> {
  const file = await openFile(path);
  const { header } = await headOf(file);
  const { id, at, mode, as, name, transport, lacks: before } = header!;
  let recorded: TolerantReader | undefined;
  let outlined: OutlinedRange | undefined;
  return {
    get about() {
      // A file with an index is complete.
      const lacks = outlined && !recorded ? before : recordingLacks(recorded?.report, before);
      const { forgotten, early } = recorded?.report ?? outlined?.found ?? {};
      const found = { ...(forgotten && { forgotten }), ...(early && { early }) };
      return { id, at, mode, name, transport, ...(as !== undefined && { as }), ...(lacks && { lacks }), ...found };
    },
    get notes() {
      const { report, failure } = recorded ?? {};
      if (!report && outlined) return secretSentences({ ...outlined.found, unlooked: outlined.unlooked });
      return report ? damageSentences({ header: header!, report, ...(failure !== undefined && { failure }) }) : [];
    },
    async close() {
      await outlined?.close();
    },
    async complete(chosen) {
      outlined = await outlineRange(file, chosen);
      return outlined;
    },
    async *frames(selection) {
      if (outlined && selection === outlined.selection) {
        yield* outlined.frames();
        return;
      }
      recorded = new TolerantReader(new RecordingReader(runningSha256()));
      const opened = await openFile(path, file);
      const { length: of, convertArchive } = opened;
      const bytes = recordingBytes(opened.bytes, { convertArchive, onRead: (done) => onRead({ done, of }) });
      for await (const frames of recorded.portions(bytes)) {
        signal?.throwIfAborted();
        yield* frames;
      }
    },
  };
}

/** Longest range whose frames are read one by one. Reading the whole file is as fast for a longer one. */
const OUTLINED_FRAMES = 50_000;

/** A range of a recording that is read by its index. */
interface OutlinedRange extends CompletedSelection {
  readonly found: Outline['found'];
  /** See {@link RecordingReport}. */
  readonly unlooked: RecordingReport['unlooked'];
  /** The frames of the selection. Throws a RecordingError if the file has changed. */
  frames(): Iterable<Frame>;
  close(): Promise<void>;
}

/** Resolves with undefined if the range is long, or the file has no index or a wrong one. */
async function outlineRange(file: OpenedFile, chosen: FrameSelection): Promise<OutlinedRange | undefined> {
  const { from = 1, to = Number.POSITIVE_INFINITY } = chosen;
  const outline = to - from < OUTLINED_FRAMES ? await openOutline(file) : undefined;
  if (!outline) return undefined;
  const exchanges = new SelectionCompleter(chosen);
  const seqs = new Set<number>();
  for await (const chunk of outline.chunks()) {
    if (!chunk) {
      await outline.close();
      return undefined;
    }
    const first = outline.count - chunk.count + 1;
    const isSettled = exchanges.isSettledAt(first) && !OPENING_WORDS.some((word) => chunk.text.includes(word));
    for (const frame of chunk.frames) {
      if (frame.channel === 'lifecycle') seqs.add(frame.seq);
      // The last frame of a chunk may carry the first message of the next one.
      if (!isSettled || frame.seq === outline.count) exchanges.addFrame(frame, () => parseJson(frame.text));
    }
  }
  const selection = exchanges.selection();
  for (const seq of selection.also ?? []) seqs.add(seq);
  for (let seq = from; seq <= Math.min(to, outline.count); seq++) seqs.add(seq);
  const ordered = [...seqs].sort((a, b) => a - b);
  // Our own events go along from anywhere in the file. They have no text of the server's that a name could follow.
  const last = Math.max(1, Math.min(to, outline.count), ...(selection.also ?? []));
  const { found, count: of } = outline;
  const isCapture = outline.header.policy.startsWith('capture/');
  const unlooked = isCapture ? unlookedPart(true, outline.lineOf(last)) : undefined;
  return {
    selection,
    of,
    found,
    unlooked,
    close: () => outline.close(),
    *frames() {
      for (const seq of ordered) yield outline.frame(seq);
    },
  };
}

/** Reads up to the header. */
async function headOf({ bytes, convertArchive }: OpenedFile): Promise<RecordingReader> {
  const recorded = new TolerantReader();
  for await (const _ of recorded.portions(recordingBytes(bytes, { convertArchive }))) if (recorded.reader.header) break;
  return recorded.reader;
}
