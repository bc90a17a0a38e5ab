import type { FileHandle } from 'node:fs/promises';
import { recordingBytes } from '@/lib/recording/recording-bytes';
import { openToRead } from '@/proxy/files/existing-files';
import { openFile } from '@/proxy/recorder/open-file';

/** The lines of a recording, as they are asked for. */
export interface RecordingLines {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes of the file that were read. */
  readonly bytesRead: number;
  /** Resolves once all that is in the file now was read and handed out. Lets waiting chunks go on. */
  caughtUp(): Promise<void>;
  /** Ends the chunks. */
  close(): Promise<void>;
}

/** Reads a file to its present end. */
export function wholeSource(path: string): RecordingLines {
  let bytesRead = 0;
  let isClosed = false;
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    const { bytes } = await openFile(path);
    const onRead = (read: number): void => {
      bytesRead = read;
    };
    for await (const chunk of recordingBytes(bytes, { onRead })) {
      if (isClosed) return;
      yield chunk;
    }
  };
  return {
    chunks: chunks(),
    get bytesRead() {
      return bytesRead;
    },
    caughtUp: () => new Promise(() => {}),
    close: async () => {
      isClosed = true;
    },
  };
}

/** Bytes read at a time. */
const CHUNK_BYTES = 256 * 1024;

/** A recording that another process writes. At its present end the chunks wait, until `isGrowing` no longer holds. */
export class GrowingSource implements RecordingLines {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly #path: string;
  readonly #isGrowing: () => boolean;
  #at = 0;
  #wake: (() => void) | undefined;
  #onIdle = (): void => {};
  #isClosed = false;

  constructor(path: string, isGrowing: () => boolean) {
    this.#path = path;
    this.#isGrowing = isGrowing;
    this.chunks = this.#read();
  }

  get bytesRead(): number {
    return this.#at;
  }

  caughtUp(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#goOn();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#goOn();
  }

  #goOn(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    let file: FileHandle | undefined;
    try {
      while (!this.#isClosed) {
        // Asked before reading: bytes that come in between are then read in the next round.
        const isGrowing = this.#isGrowing();
        file ??= await openToRead(this.#path);
        const bytes = new Uint8Array(CHUNK_BYTES);
        const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#at);
        this.#at += bytesRead;
        if (bytesRead > 0) {
          yield bytes.subarray(0, bytesRead);
          continue;
        }
        if (!isGrowing) return;
        // A file that nobody asks about stays closed.
        await file.close();
        file = undefined;
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#onIdle();
        await woken;
      }
    } finally {
      await file?.close();
    }
  }
}
