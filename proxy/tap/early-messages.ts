import { DIRECTIONS, type Direction } from '@/lib/wire/frame';

/** Bytes that are kept of each direction. The handshake is at the beginning. */
const EARLY_BYTES = 64 * 1024;
const LINE_FEED = 10;

/** Keeps the first messages of a session, because rules and overlays that are set later need to know the handshake. */
export class EarlyMessages {
  readonly #chunks: Readonly<Record<Direction, Buffer[]>> = { 'to-server': [], 'to-client': [] };
  readonly #left: Record<Direction, number> = { 'to-server': EARLY_BYTES, 'to-client': EARLY_BYTES };

  /** Copies what is still wanted of a chunk. */
  keep(direction: Direction, chunk: Buffer): void {
    const left = this.#left[direction];
    if (left === 0) return;
    const wanted = Math.min(left, chunk.length);
    this.#chunks[direction].push(Buffer.from(chunk.subarray(0, wanted)));
    this.#left[direction] = left - wanted;
  }

  /** Returns the whole lines that were kept, requests before their responses. */
  *messages(): Generator<readonly [direction: Direction, line: Buffer]> {
    for (const direction of DIRECTIONS) {
      const bytes = Buffer.concat(this.#chunks[direction]);
      for (let at = 0, end = bytes.indexOf(LINE_FEED); end >= 0; at = end + 1, end = bytes.indexOf(LINE_FEED, at)) {
        yield [direction, bytes.subarray(at, end)];
      }
    }
  }
}
