import type { RunningDigest } from './running-digest';

/** An end line is shorter: the beginning of a longer line is let go before the line has ended. */
const LONGEST_END = 64 * 1024;

/** Holds the digests of end lines against the bytes before them. All places count from the beginning of the file. */
export class EndCheck {
  readonly #digest: RunningDigest;
  readonly #mostBytes: number;
  /** What the digest is of. */
  #hashed = 0;
  /** What comes behind that. */
  #pieces: Uint8Array[] = [];

  /** Beyond `mostBytes` nothing is checked. */
  constructor(digest: RunningDigest, mostBytes: number) {
    this.#digest = digest;
    this.#mostBytes = mostBytes;
  }

  push(chunk: Uint8Array): void {
    this.#pieces.push(chunk);
  }

  /** Whether the bytes before the line at `at`, in what was pushed last or goes on into it, are others than those of this digest. */
  isChanged(at: number, sha256: string): boolean {
    this.#hash(at);
    return at <= this.#mostBytes && this.#hashed === at && this.#digest.hex() !== sha256;
  }

  /** The lines before `at` are read. */
  done(at: number): void {
    this.#hash(at);
    const held = this.#pieces.reduce((length, piece) => length + piece.length, 0);
    if (held > LONGEST_END) this.#hash(this.#hashed + held);
  }

  #hash(to: number): void {
    while (this.#hashed < to && this.#pieces.length > 0) {
      const piece = this.#pieces[0]!;
      const part = piece.subarray(0, to - this.#hashed);
      if (this.#hashed <= this.#mostBytes) this.#digest.update(part);
      this.#hashed += part.length;
      if (part.length === piece.length) this.#pieces.shift();
      else this.#pieces[0] = piece.subarray(part.length);
    }
  }
}
