import { DIRECTIONS, type Direction } from '@/lib/wire/frame';

/** Bytes that are kept of the beginning of each direction, where the handshake is, and of its end. */
export const SEEN_BYTES = 64 * 1024;
const LINE_FEED = 10;

/**
 * Keeps the first and the newest messages of a session, because rules and overlays that are set later need to know the
 * handshake, and the requests that wait for their responses.
 */
export class SeenMessages {
  readonly #seen: Readonly<Record<Direction, SeenBytes>> = {
    'to-server': new SeenBytes(),
    'to-client': new SeenBytes(),
  };

  /** Keeps a copy of what it can of a chunk. */
  keep(direction: Direction, chunk: Buffer): void {
    this.#seen[direction].keep(chunk);
  }

  /** Returns the whole lines that are kept, requests before their responses. */
  *messages(): Generator<readonly [direction: Direction, line: Buffer]> {
    for (const direction of DIRECTIONS) {
      for (const bytes of this.#seen[direction].parts()) {
        for (let at = 0, end = bytes.indexOf(LINE_FEED); end >= 0; at = end + 1, end = bytes.indexOf(LINE_FEED, at)) {
          yield [direction, bytes.subarray(at, end)];
        }
      }
    }
  }
}

/** The beginning and the end of a stream. */
class SeenBytes {
  readonly #first: Buffer[] = [];
  #left = SEEN_BYTES;
  /** A ring with the newest bytes after the first ones, and how many there were. */
  #newest = Buffer.alloc(0);
  #bytes = 0;

  keep(chunk: Buffer): void {
    const first = chunk.subarray(0, this.#left);
    if (first.length > 0) this.#first.push(Buffer.from(first));
    this.#left -= first.length;
    if (first.length < chunk.length) this.#keepNewest(chunk.subarray(first.length));
  }

  #keepNewest(chunk: Buffer): void {
    if (this.#bytes === 0) this.#newest = Buffer.allocUnsafeSlow(SEEN_BYTES);
    const skipped = Math.max(0, chunk.length - SEEN_BYTES);
    const copied = chunk.copy(this.#newest, (this.#bytes + skipped) % SEEN_BYTES, skipped);
    chunk.copy(this.#newest, 0, skipped + copied);
    this.#bytes += chunk.length;
  }

  /** Returns what is kept, in parts that begin with a whole line. */
  parts(): readonly Buffer[] {
    const at = this.#bytes % SEEN_BYTES;
    if (this.#bytes <= SEEN_BYTES) return [Buffer.concat([...this.#first, this.#newest.subarray(0, this.#bytes)])];
    const newest = Buffer.concat([this.#newest.subarray(at), this.#newest.subarray(0, at)]);
    return [Buffer.concat(this.#first), newest.subarray(newest.indexOf(LINE_FEED) + 1)];
  }
}
