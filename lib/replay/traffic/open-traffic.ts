import type { RunningDigest } from '@/lib/recording/digests';
import type { FileCheck, Outline } from '@/lib/recording/large/outline';
import type { HeaderFacts } from '@/lib/recording/read-header';
import { type ConvertElsewhere, recordingBytes } from '@/lib/recording/recording-bytes';
import type { RecordingReader } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import { decodeLossy } from '@/lib/store/classify';
import type { Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import { PLACEHOLDER_MARKS } from './placeholders';
import type { RecordedTraffic } from './recorded-traffic';
import { TrafficReader } from './traffic-reader';

/** The traffic of a whole recording. */
export interface OpenedTraffic {
  readonly header: HeaderFacts;
  /** Absent if the recording was opened by its index: only a whole reading finds damage. */
  readonly report?: RecordingReport;
  readonly traffic: RecordedTraffic;
  /**
   * Reads a recording that was opened by its index for masked values (`hasWord`) and damage. Rejects if it can't be
   * read.
   */
  check?(): Promise<FileCheck>;
  /** Closes the file. Texts can't be read any more if the recording was opened by its index. */
  close(): Promise<void>;
  /** Why the rest of the file could not be read. `traffic` has everything before that. */
  readonly failure?: string;
}

interface OpenTrafficOptions {
  /** Absent: a new reader that does not check the digest. */
  readonly reader?: RecordingReader;
  /** Maps every frame. */
  readonly through?: ((frame: Frame) => Frame) | undefined;
  /** Called with the bytes of the source that are read. */
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Absent: an HTTP Archive is converted here. */
  readonly convertArchive?: ConvertElsewhere;
}

/**
 * Reads a recording, gzipped or not, or an HTTP Archive. Rejects with a RecordingError if it is neither, and with the
 * system’s error if it can’t be read.
 */
export async function openTraffic(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  { reader, through = (frame) => frame, onRead, convertArchive }: OpenTrafficOptions = {},
): Promise<OpenedTraffic> {
  let held = 0;
  const recorded = new TolerantReader(reader, () => held > LIMITS.recordingBytes);
  const session = new TrafficReader();
  for await (const frames of recorded.portions(recordingBytes(source, { onRead, convertArchive }))) {
    for (const frame of frames) {
      held += frame.bytes.length;
      session.addFrame(through(frame));
    }
  }
  const { failure } = recorded;
  return {
    header: recorded.reader.header!,
    report: recorded.report!,
    traffic: session.traffic(),
    close: async () => {},
    ...(failure !== undefined && { failure }),
  };
}

/**
 * Reads a recording by its index; texts are read from the file when they are asked for. Resolves with undefined if the
 * index is wrong. `digest` returns a new SHA-256.
 */
export async function outlineTraffic(
  outline: Outline,
  digest: () => RunningDigest,
): Promise<OpenedTraffic | undefined> {
  const session = new TrafficReader({
    addText: () => {},
    textOf: (seq) => decodeLossy(outline.frame(seq).bytes),
  });
  for await (const chunk of outline.chunks()) {
    if (!chunk) return undefined;
    for (const frame of chunk.frames) {
      if (frame.channel === 'protocol') session.addMessages(frame, frame.text);
      else if (frame.channel !== 'stderr') session.addFrame({ ...frame, bytes: encoder.encode(frame.text) });
    }
  }
  return {
    header: outline.header,
    traffic: session.traffic(),
    check: () => outline.check(PLACEHOLDER_MARKS, digest()),
    close: () => outline.close(),
  };
}

const encoder = new TextEncoder();
