import { sha256 } from '@noble/hashes/sha2.js';

/** What tells contents apart: for the same bytes the same text, and nobody can make other bytes for it. */
export type ContentDigest = (bytes: Uint8Array) => string;

/** SHA-256, for where nothing faster is at hand. */
export const contentDigest: ContentDigest = (bytes) => String.fromCharCode(...sha256(bytes));

/** SHA-256 of bytes that come one after the other. */
export interface RunningDigest {
  update(bytes: Uint8Array): void;
  /** Of all that came so far, in hexadecimal digits; more may come. */
  hex(): string;
}

/** For where there is no faster one: about 200 MB a second. */
export function runningDigest(): RunningDigest {
  const hash = sha256.create();
  return {
    update: (bytes) => void hash.update(bytes),
    hex: () => Array.from(hash.clone().digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

/** An end line is shorter: the beginning of a longer line is let go before the line has ended. */
const LONGEST_END = 64 * 1024;

/** Holds the digests of end lines against the bytes before them. All places count from the beginning of the file. */
export class EndDigestCheck {
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

  addChunk(chunk: Uint8Array): void {
    this.#pieces.push(chunk);
  }

  /** Whether the bytes before the line at `at`, in what was pushed last or goes on into it, are others than those of this digest. */
  differsBefore(at: number, sha256: string): boolean {
    this.#hash(at);
    return at <= this.#mostBytes && this.#hashed === at && this.#digest.hex() !== sha256;
  }

  /** The lines before `at` are read. */
  releaseUpTo(at: number): void {
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
