import type { FrameParts } from '@/lib/doctor/log-of-parts';
import type { TapHost } from '@/lib/mcp/log-tap';
import type { Frame } from '@/lib/wire/frame';
import { frameTap } from './frame-tap';

/** Frames kept from the start, which hold the handshake, and of the newest ones, which hold the failure. */
const FIRST_FRAMES = 150;
const NEWEST_FRAMES = 300;
/** Most bytes kept of each part. A failed answer is far smaller. */
const PART_BYTES = 4 * 1024 * 1024;

/**
 * The first and the newest frames of a connection, to explain its failure. Copying is all that it does per frame; the
 * code that explains is loaded after a failure.
 */
export class RecentFrames {
  readonly #first: Frame[] = [];
  #firstBytes = 0;
  #newest: Frame[] = [];
  #newestBytes = 0;
  #left = 0;

  /** Passes each frame to `next`, then keeps a copy and shows it to `onFrame`. */
  tap(next: TapHost['append'], onFrame?: (frame: Frame) => void): TapHost['append'] {
    return frameTap(next, (frame) => {
      this.#keep(frame);
      onFrame?.(frame);
    });
  }

  #keep(frame: Frame): void {
    const { length } = frame.bytes;
    const isFirst = this.#newest.length + this.#left === 0;
    if (isFirst && this.#first.length < FIRST_FRAMES && this.#firstBytes + length <= PART_BYTES) {
      this.#first.push(frame);
      this.#firstBytes += length;
      return;
    }
    this.#newest.push(frame);
    this.#newestBytes += length;
    // Drops in batches, so that a flood does not move the array for every frame.
    if (this.#newest.length > 2 * NEWEST_FRAMES) this.#drop(NEWEST_FRAMES);
    while (this.#newestBytes > PART_BYTES && this.#newest.length > 1) this.#drop(Math.ceil(this.#newest.length / 4));
  }

  #drop(count: number): void {
    for (const { bytes } of this.#newest.slice(0, count)) this.#newestBytes -= bytes.length;
    this.#newest = this.#newest.slice(count);
    this.#left += count;
  }

  get parts(): FrameParts {
    return { first: this.#first, newest: this.#newest, missing: this.#left };
  }
}
