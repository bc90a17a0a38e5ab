import type { CutString } from '@/lib/wire/frame';
import { byteTextOf } from './byte-text';

/** Text made from a span of byte text, for example by decoding. Maps its places back to the frame. */
export class MappedText {
  readonly text: string;
  readonly #parent: MappedText | undefined;
  readonly #offset: number;
  /** Decoded places, four numbers each: start and length here, start and length in the parent. */
  readonly #escapes: readonly number[];

  private constructor(text: string, parent: MappedText | undefined, offset: number, escapes: readonly number[]) {
    this.text = text;
    this.#parent = parent;
    this.#offset = offset;
    this.#escapes = escapes;
  }

  /** `strings`: long strings that the text has as empty strings. They count for places. */
  static whole(text: string, strings: readonly CutString[] = []): MappedText {
    const escapes: number[] = [];
    let before = 0;
    for (const { at, bytes } of strings) {
      escapes.push(at, 0, at + before, bytes.length);
      before += bytes.length;
    }
    return new MappedText(text, undefined, 0, escapes);
  }

  /** Returns the text from a place, or between two, without decoding. */
  slice(from: number, to?: number): MappedText {
    return new MappedText(this.text.slice(from, to), this, from, NONE);
  }

  /** Returns the text between two places with JSON escapes decoded. Invalid escapes stay as they are. */
  unescaped(from: number, to: number): MappedText {
    const raw = this.text.slice(from, to);
    return raw.includes('\\') ? this.#read(raw, from, ESCAPES, unescapedText) : new MappedText(raw, this, from, NONE);
  }

  /** Returns the text with each match of a global pattern decoded. No match may be empty. */
  decoded(pattern: RegExp, meaning: (written: string) => string): MappedText {
    return this.#read(this.text, 0, pattern, meaning);
  }

  #read(raw: string, from: number, pattern: RegExp, meaning: (written: string) => string): MappedText {
    const parts: string[] = [];
    const escapes: number[] = [];
    let length = 0;
    let read = 0;
    // Much faster than `matchAll`, which copies the pattern.
    for (let match = pattern.exec(raw); match; match = pattern.exec(raw)) {
      const { 0: written, index } = match;
      const meant = meaning(written);
      parts.push(raw.slice(read, index), meant);
      length += index - read;
      escapes.push(length, meant.length, index, written.length);
      length += meant.length;
      read = index + written.length;
    }
    if (read === 0) return new MappedText(raw, this, from, NONE);
    parts.push(raw.slice(read));
    return new MappedText(parts.join(''), this, from, escapes);
  }

  /**
   * Returns where the character at a place starts in the frame. For a decoded escape, that is where the escape starts.
   */
  origin(at: number): number {
    const here = this.#offset + this.#inParent(at);
    return this.#parent ? this.#parent.origin(here) : here;
  }

  #inParent(at: number): number {
    const escapes = this.#escapes;
    let low = 0;
    let high = escapes.length / 4;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (escapes[middle * 4]! <= at) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return at;
    const index = (low - 1) * 4;
    const [begin, length, rawBegin, rawLength] = escapes.slice(index, index + 4) as [number, number, number, number];
    if (at === begin) return rawBegin;
    return at < begin + length ? rawBegin + rawLength : rawBegin + rawLength + (at - begin - length);
  }
}

const NONE: readonly number[] = [];

/** Matches escapes. Adjacent surrogate escapes match together, because two may be one character. */
const ESCAPES = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?)/g;

/** Escapes of one letter, the most frequent. */
const LETTERS: Readonly<Record<string, string>> = {
  '\\n': '\n',
  '\\"': '"',
  '\\\\': '\\',
  '\\t': '\t',
  '\\r': '\r',
  '\\/': '/',
  '\\b': '\b',
  '\\f': '\f',
};

function unescapedText(written: string): string {
  return LETTERS[written] ?? byteTextOf(JSON.parse(`"${written}"`) as string);
}
