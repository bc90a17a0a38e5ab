import { basename } from 'node:path';
import type { FrameToRecord } from '@/lib/recording/encode-lines';
import type { Frame } from '@/lib/wire/frame';
import type { ExportFeed } from '@/proxy/otel/export-thread';

/**
 * Exports the frames of a tapped session as one log, whatever number of files it is recorded in. The frames that each
 * further file repeats are left out.
 */
export class SessionExport {
  readonly #feed: ExportFeed;
  #waiting: Frame[] = [];
  /** Number of the newest frame in the log. */
  #seq = 0;
  /** The present file, if it is not the first, while its head is written. */
  #head: { readonly id: string; readonly path: string } | undefined;
  #headFrames = 0;
  /** When the first file was begun, in µs since the start of the session. */
  #began: number | undefined;

  constructor(feed: ExportFeed) {
    this.#feed = feed;
  }

  /** Begins another file, and leaves its frames out until {@link endRepeated}, unless it is the first. */
  beginFile(id: string, path: string, began: number): void {
    this.#headFrames = 0;
    if (this.#began === undefined) {
      this.#began = began;
      this.#beginPart(id, path, 1);
    } else this.#head = { id, path };
  }

  /** Called when the head of a file is complete. */
  endRepeated(): void {
    if (!this.#head) return;
    const { id, path } = this.#head;
    this.#head = undefined;
    this.flush();
    this.#beginPart(id, path, this.#headFrames + 1);
  }

  #beginPart(id: string, path: string, number: number): void {
    this.#feed.beginPart({ recording: id, file: basename(path), seed: id }, this.#seq + 1, number);
  }

  /** Adds a frame. Its time counts from the start of the session, and its bytes must not change until `flush`. */
  add(frame: FrameToRecord): void {
    if (this.#head) {
      this.#headFrames++;
      return;
    }
    this.#waiting.push({ ...frame, seq: ++this.#seq, time: Math.max(0, frame.time - this.#began!) });
  }

  /** Hands over what was added. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    this.#feed.add(this.#waiting);
    this.#waiting = [];
  }

  rest(): void {
    this.flush();
    this.#feed.rest();
  }

  end(): void {
    this.flush();
    this.#feed.end();
  }
}
