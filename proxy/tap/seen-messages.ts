import { DIRECTIONS, type Direction } from '@/lib/wire/frame';

/** Bytes that are kept of the beginning of each direction, where the handshake is, and of its end. */
export const SEEN_BYTES = 64 * 1024;
/** Chunks below this are copied together, because many small ones take much memory. */
const PAGE_BYTES = 16 * 1024;
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

  /** Keeps what it can of a chunk, which must not be changed later. */
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
  /** The newest bytes after the first ones, in pages. */
  readonly #pages: Buffer[] = [];
  #pageBytes = 0;
  /** Room for small chunks, which becomes a page. */
  #room = Buffer.alloc(0);
  #used = 0;
  #isWhole = true;

  keep(chunk: Buffer): void {
    const first = chunk.subarray(0, this.#left);
    if (first.length > 0) this.#first.push(Buffer.from(first));
    this.#left -= first.length;
    const rest = chunk.subarray(first.length);
    // A copy would take as long as passing it. Nobody changes a chunk.
    if (rest.length >= PAGE_BYTES) {
      this.#endPage();
      this.#isWhole &&= rest.length <= SEEN_BYTES;
      this.#addPage(rest.length > SEEN_BYTES ? Buffer.from(rest.subarray(-SEEN_BYTES)) : rest);
    } else if (rest.length > 0) this.#copy(rest);
  }

  #copy(bytes: Buffer): void {
    if (this.#used + bytes.length > this.#room.length) {
      this.#endPage();
      this.#room = Buffer.allocUnsafeSlow(PAGE_BYTES);
    }
    this.#used += bytes.copy(this.#room, this.#used);
  }

  #endPage(): void {
    if (this.#used > 0) this.#addPage(this.#room.subarray(0, this.#used));
    this.#room = Buffer.alloc(0);
    this.#used = 0;
  }

  #addPage(page: Buffer): void {
    this.#pages.push(page);
    this.#pageBytes += page.length;
    while (this.#pageBytes - this.#pages[0]!.length >= SEEN_BYTES) {
      this.#pageBytes -= this.#pages.shift()!.length;
      this.#isWhole = false;
    }
  }

  /** Returns the bytes that are kept, in parts that begin with a whole line. */
  parts(): readonly Buffer[] {
    const newest = Buffer.concat([...this.#pages, this.#room.subarray(0, this.#used)]);
    if (this.#isWhole) return [Buffer.concat([...this.#first, newest])];
    return [Buffer.concat(this.#first), newest.subarray(newest.indexOf(LINE_FEED) + 1)];
  }
}
