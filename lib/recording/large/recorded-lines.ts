import { entryLength } from '@/lib/wire/batch';
import { LIMITS } from '@/lib/wire/limits';
import { BlobWindow, type RecordedBlob } from '../blobs';
import { type DecodedLine, decodeLine } from '../decode-line';
import { type FrameToRecord, LONGEST_HEAD } from '../encode-lines';
import { RecordingError } from '../errors';
import type { FrameNumbers } from '../frame-numbers';
import { LineSplitter } from '../line-splitter';
import { LineOffsets } from './line-offsets';
import type { RandomAccess } from './random-access';

/** A file that can also be read while everything else waits. For processes that have nothing else to do meanwhile. */
export interface FileAtHand extends RandomAccess {
  /** Reads the bytes `[from, to)`. Throws as `read` rejects. */
  readNow(from: number, to: number): Uint8Array<ArrayBuffer>;
}

/** Bytes read beyond the expected end of a line, for longer heads and escaped characters. */
const SPARE_BYTES = LONGEST_HEAD + 64;

/** The frames of an indexed recording, each read from its line when it is asked for. */
export class RecordedLines {
  /** The lines, by the numbers of their frames. */
  readonly offsets = new LineOffsets();
  readonly #file: FileAtHand;
  readonly #version: number;
  readonly #numbers: Pick<FrameNumbers, 'numberOf'>;
  /** The part of the file that was read last. Lines are often read one after another, forwards or backwards. */
  #window = { from: 0, bytes: new Uint8Array(0) };
  /** The blobs read last, by offset, since messages share them. */
  readonly #blobs = new BlobWindow<RecordedBlob & { readonly name: string }>();

  /** `version` is that of the recording's format. `numbers` are those in the file; absent: they have no gaps. */
  constructor(file: FileAtHand, version: number, numbers: Pick<FrameNumbers, 'numberOf'> = WITHOUT_GAPS) {
    this.#file = file;
    this.#version = version;
    this.#numbers = numbers;
  }

  /** Reads frame `n`. Throws a RecordingError if the line is not the one that the index was made from. */
  frame(n: number): FrameToRecord {
    const length = this.offsets.length(n);
    // The line of a message without its long strings is much shorter than the message.
    const expected = this.offsets.blobs(n).length > 0 ? FIRST_CUT_BYTES : length + SPARE_BYTES;
    const decoded = this.#decode(this.offsets.at(n), expected, this.#blobsOf(n));
    if (decoded?.is !== 'frame' || decoded.n !== this.#numbers.numberOf(n) || entryLength(decoded.frame) !== length)
      throw FILE_CHANGED;
    return decoded.frame;
  }

  #blobsOf(n: number): { get(name: string): RecordedBlob | undefined } {
    const found = new Map(
      this.offsets
        .blobs(n)
        .map((at) => this.#blobAt(at))
        .map((blob) => [blob.name, blob]),
    );
    return { get: (name) => found.get(name) };
  }

  #blobAt(at: number): RecordedBlob & { readonly name: string } {
    const kept = this.#blobs.get(String(at));
    if (kept) return kept;
    const blob = this.#decode(at, FIRST_CUT_BYTES, { get: () => undefined });
    if (blob?.is !== 'blob') throw FILE_CHANGED;
    this.#blobs.add(String(at), blob.bytes.length, blob);
    return blob;
  }

  #decode(at: number, expected: number, blobs: { get(name: string): RecordedBlob | undefined }) {
    const { size } = this.#file;
    const splitter = new LineSplitter(LIMITS.recordedLineBytes);
    let portion = expected;
    for (let from = at; from < size; from += portion, portion = Math.min(2 * portion, MOST_READ_BYTES)) {
      for (const line of splitter.splitChunk(this.#read(from, Math.min(size, from + portion)))) {
        return line && (decodeLine(line, this.#version, blobs) as DecodedLine | undefined);
      }
      if (splitter.pendingBytes >= LIMITS.recordedLineBytes) break;
    }
    return undefined;
  }

  #read(from: number, to: number): Uint8Array {
    const start = from - (from % WINDOW_BYTES);
    const end = Math.min(this.#file.size, start + WINDOW_BYTES);
    if (to > end) return this.#file.readNow(from, to);
    if (this.#window.from !== start || this.#window.bytes.length === 0)
      this.#window = { from: start, bytes: this.#file.readNow(start, end) };
    return this.#window.bytes.subarray(from - start, to - start);
  }
}

const WITHOUT_GAPS = { numberOf: (seq: number) => seq };

/** Bytes of a window. */
const WINDOW_BYTES = 64 * 1024;
/** Bytes of the first read of a line whose length is not known: of a blob, or of a message without its blobs. */
const FIRST_CUT_BYTES = 64 * 1024;
/** Most bytes read at a time. */
const MOST_READ_BYTES = 1024 * 1024;

const FILE_CHANGED = new RecordingError(
  'recording-changed',
  'The recording’s file has changed since it was opened, or its index is wrong.',
  'Try again when nothing else writes it.',
);
