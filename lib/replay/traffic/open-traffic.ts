import type { RunningDigest } from '@/lib/recording/digests';
import type { FileCheck, Outline } from '@/lib/recording/large/outline';
import { type FileAtHand, RecordedLines } from '@/lib/recording/large/recorded-lines';
import type { HeaderFacts } from '@/lib/recording/read-header';
import { type ConvertElsewhere, recordingBytes } from '@/lib/recording/recording-bytes';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TolerantReader } from '@/lib/recording/tolerant-reader';
import { messageLength } from '@/lib/wire/cut-message';
import type { CutMessage, Frame } from '@/lib/wire/frame';
import type { RecordingReport } from '@/lib/wire/recording-facts';
import { HeldTexts, textOrCut } from './message-table';
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
  /** Closes the file. Texts can't be read any more unless they are held in memory. */
  close(): Promise<void>;
  /** Why the rest of the file could not be read. `traffic` has everything before that. */
  readonly failure?: string;
}

interface OpenTrafficOptions {
  /** Absent: a new reader that does not check the digest. */
  readonly reader?: RecordingReader;
  /** The same file, if it is a plain one: texts are read again when they are asked for. Absent: they are held. */
  readonly lines?: FileAtHand | undefined;
  /** Maps every frame. Texts of frames that it changes are held. */
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
  { reader = new RecordingReader(), lines: file, through, onRead, convertArchive }: OpenTrafficOptions = {},
): Promise<OpenedTraffic> {
  let lines: RecordedLines | undefined;
  const texts = new CountedTexts(file && ((seq) => textOrCut(lines!.frame(seq))));
  const recorded = new TolerantReader(reader, () => texts.bytes > HELD_BYTES, HELD_BYTES);
  const session = new TrafficReader(texts);
  for await (const frames of recorded.portions(recordingBytes(source, { onRead, convertArchive }))) {
    if (file && reader.header) lines ??= new RecordedLines(file, reader.header.version, reader.numbers);
    for (const frame of frames) {
      lines?.offsets.addLine(frame.at, messageLength(frame), frame.blobsAt);
      const mapped = through ? through(frame) : frame;
      texts.isInFile = file !== undefined && mapped === frame;
      session.addFrame(mapped);
    }
  }
  const { failure } = recorded;
  return {
    header: recorded.reader.header!,
    report: recorded.report!,
    traffic: session.traffic(),
    close: async () => file?.close(),
    ...(failure !== undefined && { failure }),
  };
}

/** Bytes of texts that are held of one recording: gzipped ones, HTTP Archives, and recordings that are mapped. */
const HELD_BYTES = 512 * 1024 * 1024;

/**
 * Holds texts, except those that are read again from the file, and counts what it holds. Long strings that messages
 * share count once.
 */
class CountedTexts extends HeldTexts {
  /** True if the next text is in the file. */
  isInFile = false;
  bytes = 0;
  readonly #readAgain: ((seq: number) => string | CutMessage) | undefined;
  readonly #strings = new Set<Uint8Array>();

  constructor(readAgain: ((seq: number) => string | CutMessage) | undefined) {
    super();
    this.#readAgain = readAgain;
  }

  override textOf(seq: number): string | CutMessage {
    return this.#readAgain && !this.has(seq) ? this.#readAgain(seq) : super.textOf(seq);
  }

  override addText(seq: number, text: string | CutMessage): void {
    if (this.isInFile) return;
    super.addText(seq, text);
    const parts = typeof text === 'string' ? [text] : [text.text, ...text.strings.map(({ bytes }) => bytes)];
    for (const part of parts) {
      if (typeof part !== 'string' && this.#strings.has(part)) continue;
      if (typeof part !== 'string') this.#strings.add(part);
      this.bytes += part.length;
    }
  }
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
    textOf: (seq) => textOrCut(outline.frame(seq)),
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
