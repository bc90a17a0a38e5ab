import type { FoundInString, ScannedStrings } from './found-secret';

/** Most frames that are remembered. */
const MOST_FRAMES = 500_000;

/** Frames in which nothing was found, by a hash of 53 bits of their bytes. */
export class CleanFrames {
  readonly #hashes = new Set<number>();

  add(bytes: Uint8Array): void {
    if (this.#hashes.size < MOST_FRAMES) this.#hashes.add(hashOf(bytes));
  }

  has(bytes: Uint8Array): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(hashOf(bytes));
  }
}

function hashOf(bytes: Uint8Array): number {
  let [high, low] = [bytes.length, ~bytes.length];
  for (let at = 0; at < bytes.length; at++) {
    high = Math.imul(high ^ bytes[at]!, 0x9e3779b1);
    low = Math.imul(low ^ bytes[at]!, 0x85ebca77) ^ (low >>> 15);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}

/** Most strings that are remembered, and their characters together. */
const MOST_STRINGS = 16;
const MOST_CHARS = 64_000_000;

interface Scanned {
  readonly text: string;
  /** The version of what was looked for. */
  readonly version: number;
  readonly found: readonly FoundInString[];
}

/** The newest long strings and the secrets in them. A recording may repeat the same one in thousands of frames. */
export class RepeatedStrings implements ScannedStrings {
  readonly #versionNow: () => number;
  #scanned: Scanned[] = [];

  /** `versionNow` changes when more has to be looked for. */
  constructor(versionNow: () => number) {
    this.#versionNow = versionNow;
  }

  foundIn(text: string): readonly FoundInString[] | undefined {
    const version = this.#versionNow();
    return this.#scanned.find((one) => one.version === version && one.text.length === text.length && one.text === text)
      ?.found;
  }

  begin(text: string): FoundInString[] {
    const found: FoundInString[] = [];
    const others = this.#scanned.filter((one) => one.text !== text);
    this.#scanned = [{ text, version: this.#versionNow(), found }, ...others].slice(0, MOST_STRINGS);
    while (this.#scanned.reduce((sum, one) => sum + one.text.length, 0) > MOST_CHARS) this.#scanned.pop();
    return found;
  }
}
