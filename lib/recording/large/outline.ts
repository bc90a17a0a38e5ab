import { BATCH_ENTRY_BYTES, batchEntryLength, PART } from '@/lib/wire/batch';
import { CHANNELS, type Channel, DIRECTIONS, type Direction, type Frame } from '@/lib/wire/frame';
import { nextTask } from '@/lib/wire/in-slices';
import type { RunningDigest } from '../digests';
import { EndFacts } from '../end-facts';
import type { HeaderFacts } from '../read-header';
import { findIndexes, type IndexChunk, type IndexedRecording, type Inflate, readIndexChunks } from './indexes';
import { readLaterNotes } from './later-notes';
import { readFrom } from './random-access';
import { type FileAtHand, RecordedLines } from './recorded-lines';

/** A frame as an index has it. Its messages may be skims (skims.ts). */
export type OutlinedFrame = Omit<Frame, 'bytes' | 'skimOf'> & {
  /** The text of the frame or of its skim. */
  readonly text: string;
};

/** Part of an outline. */
export interface OutlineChunk {
  readonly count: number;
  /** All texts of the chunk, and more between them. */
  readonly text: string;
  readonly frames: Iterable<OutlinedFrame>;
}

/** The result of reading the whole file. */
export interface FileCheck {
  readonly hasWord: boolean;
  /** True if the file was changed or damaged. Absent if its end line has no digest. */
  readonly isChanged?: boolean;
}

/** A recording that is read by its index: the outline of all frames, and any frame from its line. */
export class Outline {
  readonly header: HeaderFacts;
  readonly #indexed: IndexedRecording;
  readonly #file: FileAtHand;
  readonly #inflate: Inflate;
  readonly #lines: RecordedLines;
  readonly #ends = new EndFacts();
  #last = { n: 0, time: 0 };

  private constructor(indexed: IndexedRecording, file: FileAtHand, inflate: Inflate) {
    this.header = indexed.header;
    this.#indexed = indexed;
    this.#file = file;
    this.#inflate = inflate;
    this.#lines = new RecordedLines(file, indexed.header.version);
  }

  /** Resolves with undefined if the file has no index. Rejects if it can't be read. */
  static async of(file: FileAtHand, inflate: Inflate): Promise<Outline | undefined> {
    const indexed = await findIndexes(file);
    return indexed && new Outline(indexed, file, inflate);
  }

  /** The facts about secrets in the end lines, known after all chunks were read. */
  get found(): ReturnType<EndFacts['found']> {
    return this.#ends.found();
  }

  /** Number of frames outlined so far. */
  get count(): number {
    return this.#last.n;
  }

  /**
   * Reads the outline. Call it once. Yields undefined and stops if the index is wrong: then nothing of this is usable.
   * Rejects if the file can't be read.
   */
  async *chunks(): AsyncGenerator<OutlineChunk | undefined> {
    for await (const chunk of readIndexChunks(this.#file, this.#indexed, this.#inflate)) {
      yield chunk && this.#outlineOf(chunk);
      if (!chunk) return;
    }
    const { offsets } = this.#lines;
    const notes: OutlinedFrame[] = [];
    const from = offsets.at(this.#last.n);
    const onEnd: EndFacts['addEnd'] = (end) => this.#ends.addEnd(end);
    for await (const note of readLaterNotes(this.#file, from, this.#last, this.header.version, onEnd)) {
      if (!note) {
        yield undefined;
        return;
      }
      offsets.addLine(note.at, note.bytes.length);
      notes.push({ ...note, text: lossy.decode(note.bytes) });
      this.#last = { n: note.seq, time: note.time };
    }
    if (notes.length > 0) yield { count: notes.length, text: notes.map(({ text }) => text).join('\n'), frames: notes };
  }

  /** Reads a frame that was outlined. Throws a RecordingError if its line has changed. */
  frame(seq: number): Frame {
    return { seq, ...this.#lines.frame(seq) };
  }

  /** Returns the offset of a frame's line. */
  lineOf(seq: number): number {
    return this.#lines.offsets.at(seq);
  }

  /**
   * Reads the whole file: whether it has one of these words, and whether its bytes differ from the digest in its end
   * line. Rejects if it can't be read.
   */
  async check(words: readonly string[], digest: RunningDigest): Promise<FileCheck> {
    const { sha256, endAt } = this.#indexed;
    const wanted = words.map((word) => byteDecoder.decode(new TextEncoder().encode(word)));
    const overlap = Math.max(...wanted.map(({ length }) => length)) - 1;
    let [at, tail, hasWord] = [0, '', false];
    for await (const chunk of readFrom(this.#file, 0)) {
      if (sha256 !== undefined) digest.update(chunk.subarray(0, Math.max(0, endAt - at)));
      at += chunk.length;
      if (!hasWord) {
        const text = tail + byteDecoder.decode(chunk);
        hasWord = wanted.some((word) => text.includes(word));
        tail = text.slice(-overlap);
      }
      await nextTask();
    }
    return { hasWord, ...(sha256 !== undefined && { isChanged: digest.hex() !== sha256 }) };
  }

  /** Closes the file. Nothing can be read any more. */
  close(): Promise<void> {
    return this.#file.close();
  }

  #outlineOf(chunk: IndexChunk): OutlineChunk {
    const { count, at, lengths, blobsAt, stored } = chunk;
    const first = this.#last.n + 1;
    for (let index = 0; index < count; index++)
      this.#lines.offsets.addLine(at[index]!, lengths[index]!, blobsAt.get(index));
    const rows = new DataView(stored.buffer, stored.byteOffset, count * BATCH_ENTRY_BYTES);
    this.#last = { n: first + count - 1, time: rows.getFloat64((count - 1) * BATCH_ENTRY_BYTES, true) };
    const entries = stored.subarray(count * BATCH_ENTRY_BYTES);
    const text = lossy.decode(entries);
    return { count, text, frames: this.#framesOf(chunk, first, rows, { entries, text }) };
  }

  *#framesOf(
    { count, notStored }: IndexChunk,
    first: number,
    rows: DataView,
    { entries, text }: { readonly entries: Uint8Array; readonly text: string },
  ): Generator<OutlinedFrame> {
    const isAscii = text.length === entries.length;
    const fromLines = new Set(notStored);
    for (let index = 0, start = 0; index < count; index++) {
      const row = index * BATCH_ENTRY_BYTES;
      const end = start + batchEntryLength(rows, row);
      const channel: Channel | undefined = CHANNELS[rows.getUint8(row + 13)];
      const seq = first + index;
      if (channel === undefined || fromLines.has(index)) {
        // Rare: messages that are long and have no skim, and channels that this version does not know.
        const frame = this.frame(seq);
        yield { ...frame, text: lossy.decode(frame.bytes) };
      } else {
        const entry = isAscii ? text.slice(start, end) : lossy.decode(entries.subarray(start, end));
        const isSkim = rows.getUint8(row + 15) === PART.skim;
        yield {
          seq,
          time: rows.getFloat64(row, true),
          direction: DIRECTIONS[rows.getUint8(row + 12)] as Direction,
          channel,
          flags: rows.getUint8(row + 14),
          text: isSkim ? entry.slice(entry.indexOf(',') + 1, -1) : entry,
        };
      }
      start = end + 1;
    }
  }
}

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
/** Decodes each byte to one character, so that bytes are searched as text, which is fast. */
const byteDecoder = new TextDecoder('latin1');
