import { sha256 } from '@noble/hashes/sha2.js';

/** A collision-resistant digest: the same bytes give the same text. */
export type ContentDigest = (bytes: Uint8Array) => string;

/** SHA-256 in JavaScript, for platforms without a faster synchronous one. */
export const contentDigest: ContentDigest = (bytes) => String.fromCharCode(...sha256(bytes));

/** SHA-256 of bytes that arrive in pieces. */
export interface RunningDigest {
  update(bytes: Uint8Array): void;
  /** Returns the digest of all bytes so far, in hexadecimal digits. More bytes may follow. */
  hex(): string;
}

/** A portable digest, at about 200 MB a second. */
export function runningDigest(): RunningDigest {
  const hash = sha256.create();
  return {
    update: (bytes) => void hash.update(bytes),
    hex: () => Array.from(hash.clone().digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

/** Longest end line, in bytes. Bytes of a longer line are hashed before the line has ended. */
const LONGEST_END = 64 * 1024;

/** Compares the digests in end lines with the bytes before them. Offsets count from the start of the file. */
export class EndDigestCheck {
  readonly #digest: RunningDigest;
  readonly #mostBytes: number;
  /** Number of bytes that were hashed. */
  #hashed = 0;
  /** Bytes that are not hashed yet. */
  #pieces: Uint8Array[] = [];

  /** Checks nothing beyond the first `mostBytes`. */
  constructor(digest: RunningDigest, mostBytes: number) {
    this.#digest = digest;
    this.#mostBytes = mostBytes;
  }

  addChunk(chunk: Uint8Array): void {
    this.#pieces.push(chunk);
  }

  /**
   * Returns true if the bytes before the end line at `at` do not have this digest. The line lies in the last chunk or
   * starts in it.
   */
  differsBefore(at: number, sha256: string): boolean {
    this.#hash(at);
    return at <= this.#mostBytes && this.#hashed === at && this.#digest.hex() !== sha256;
  }

  /** Hashes the bytes before `at`, whose lines have been read. */
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
