const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Looks for one text in bytes, upper or lower case. */
export interface Needle {
  isIn(bytes: Uint8Array): boolean;
}

/**
 * A search for `text` in UTF-8. Letters of ASCII are compared in both cases and everything else byte by byte, with Horspool's
 * skips; only for letters beyond ASCII that have two cases is the text decoded.
 */
export function needleOf(text: string): Needle {
  if (text === '') return { isIn: () => true };
  const hasWideCases = [...text].some((character) => character > '\x7f' && hasCases(character));
  if (hasWideCases) {
    const wanted = text.toLowerCase();
    return { isIn: (bytes) => decoder.decode(bytes).toLowerCase().includes(wanted) };
  }
  return new Horspool(encoder.encode(text));
}

function hasCases(character: string): boolean {
  return character.toLowerCase() !== character.toUpperCase();
}

class Horspool implements Needle {
  readonly #lower: Uint8Array;
  readonly #upper: Uint8Array;
  /** How far the window may move when its last byte is this one. */
  readonly #skips: Int32Array;

  constructor(wanted: Uint8Array) {
    this.#lower = wanted.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
    this.#upper = wanted.map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte));
    this.#skips = new Int32Array(256).fill(wanted.length);
    for (let at = 0; at < wanted.length - 1; at++) {
      this.#skips[this.#lower[at]!] = wanted.length - 1 - at;
      this.#skips[this.#upper[at]!] = wanted.length - 1 - at;
    }
  }

  isIn(bytes: Uint8Array): boolean {
    const lower = this.#lower;
    const upper = this.#upper;
    const skips = this.#skips;
    const last = lower.length - 1;
    const lastLower = lower[last]!;
    const lastUpper = upper[last]!;
    for (let end = last; end < bytes.length; ) {
      const byte = bytes[end]!;
      if (byte === lastLower || byte === lastUpper) {
        let at = last - 1;
        for (let from = end - 1; at >= 0; at--, from--) {
          const here = bytes[from]!;
          if (here !== lower[at] && here !== upper[at]) break;
        }
        if (at < 0) return true;
      }
      end += skips[byte]!;
    }
    return false;
  }
}
