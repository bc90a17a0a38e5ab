import { byteOf, bytesOfText, byteTextOf } from './byte-text';

/** A text to find. */
export interface Literal {
  readonly text: string;
  /** The text is in lower case, and counts in any. */
  readonly anyCase?: boolean;
}

/** A place where literals start: all of them, the shortest first. */
export interface LiteralPlace<L> {
  readonly at: number;
  readonly literals: readonly L[];
}

/** Texts of three bytes or more that are looked for in the same pass. */
export interface OtherTexts {
  /** A copy of {@link LiteralFinder.starts}, with {@link OTHER} for the first three bytes of each text. */
  readonly starts: Uint8Array;
  mayBeginAt(bytes: Uint8Array, at: number): boolean;
}

/** A literal and its bytes. */
interface Coded<L> {
  readonly literal: L;
  readonly codes: Uint8Array;
  /** One character, repeated. */
  readonly isRun: boolean;
}

/** Marks the beginnings of literals of two or three bytes, and of longer ones. */
const [SHORT, LONG] = [1, 2];
/** Marks the beginnings of {@link OtherTexts}. */
export const OTHER = 4;

/**
 * Finds the places of many literals in byte text. Two to four bytes tell where one may start, which few places of
 * ordinary text do; only there are literals compared. A literal that is one character, repeated, is found only where
 * that character does not stand before it.
 */
export class LiteralFinder<L extends Literal> {
  /** By two bytes: {@link SHORT} if a literal is them. */
  readonly #pairs = new Uint8Array(1 << 16);
  /** Marks by the hash of three bytes. */
  readonly starts = new Uint8Array(1 << 16);
  /** By the hash of four bytes: 1 if a literal starts with them. */
  readonly #longStarts = new Uint8Array(1 << 16);
  /** Literals by their first two bytes, the shortest first. */
  readonly #byPair = new Map<number, Coded<L>[]>();

  /** Literals have two bytes or more. */
  constructor(literals: readonly L[]) {
    const made = literals.map((literal) => {
      const codes = bytesOfText(byteTextOf(literal.text));
      return { literal, codes, isRun: codes.every((code) => code === codes[0]) };
    });
    for (const one of made.toSorted((a, b) => a.codes.length - b.codes.length)) this.#add(one);
  }

  #add(one: Coded<L>): void {
    const { codes, literal } = one;
    const cases = (at: number): readonly number[] => casesOf(codes[at], literal.anyCase);
    for (const a of cases(0)) {
      for (const b of cases(1)) {
        const pair = a | (b << 8);
        const same = this.#byPair.get(pair);
        if (same) same.push(one);
        else this.#byPair.set(pair, [one]);
        if (codes.length === 2) this.#pairs[pair] = SHORT;
        for (const c of cases(2)) {
          this.starts[hashOfThree(a, b, c)]! |= codes.length > 3 ? LONG : SHORT;
          for (const d of cases(3)) this.#longStarts[longHash(a, b, c, d)] = 1;
        }
      }
    }
  }

  /** Returns the first place at or after `from` in byte text. */
  nextInText(text: string, from: number): LiteralPlace<L> | undefined {
    const [pairs, starts] = [this.#pairs, this.starts];
    let [first, second] = [codeAt(text, from), codeAt(text, from + 1)];
    for (let at = from; at < text.length - 1; at++) {
      const code = text.charCodeAt(at + 2);
      const third = code < 0x80 ? code : byteOf(code);
      const begun = pairs[first | (second << 8)]! | starts[hashOfThree(first, second, third)]!;
      const place = begun === 0 ? undefined : this.#placeAt(text, at, begun);
      if (place) return place;
      first = second;
      second = third;
    }
    return undefined;
  }

  /**
   * Returns the first place at or after `from` in bytes. One of `others` has no literals. Runs for every byte that is
   * recorded, so it looks at as few tables as possible.
   */
  nextInBytes(bytes: Uint8Array, from: number, others?: OtherTexts): LiteralPlace<L> | undefined {
    const [pairs, starts] = [this.#pairs, others?.starts ?? this.starts];
    const last = bytes.length - 2;
    if (from > last) return undefined;
    let pair = bytes[from]! | (bytes[from + 1]! << 8);
    for (let at = from; at < last; at++) {
      const third = bytes[at + 2]!;
      const begun = pairs[pair]! | starts[(pair ^ (third * THIRD_FACTOR)) & 0xffff]!;
      if (begun !== 0) {
        if (others && begun >= OTHER && others.mayBeginAt(bytes, at)) return { at, literals: [] };
        const place = (begun & ~OTHER) === 0 ? undefined : this.#placeAt(bytes, at, begun & ~OTHER);
        if (place) return place;
      }
      pair = (pair >> 8) | (third << 8);
    }
    return pairs[pair] === 0 ? undefined : this.#placeAt(bytes, last, SHORT);
  }

  /** `begun`: what may begin here. */
  #placeAt(text: string | Uint8Array, at: number, begun: number): LiteralPlace<L> | undefined {
    const [first, second] = [codeAt(text, at), codeAt(text, at + 1)];
    if (begun === LONG && !this.#longStarts[longHash(first, second, codeAt(text, at + 2), codeAt(text, at + 3))])
      return undefined;
    // Zeros in base64 are megabytes of `A`, and a literal of such letters is where they begin.
    const isWithinRun = first === second && at > 0 && codeAt(text, at - 1) === first;
    const literals: L[] = [];
    for (const { literal, codes, isRun } of this.#byPair.get(first | (second << 8)) ?? []) {
      if (isRun && isWithinRun) continue;
      let length = 2;
      while (length < codes.length && isSame(codeAt(text, at + length), codes[length]!, literal.anyCase)) length++;
      if (length === codes.length) literals.push(literal);
    }
    return literals.length > 0 ? { at, literals } : undefined;
  }
}

const THIRD_FACTOR = 0x9d3;

/** Returns a hash of three bytes, of 16 bits. */
export function hashOfThree(first: number, second: number, third: number): number {
  return (first | (second << 8)) ^ ((third * THIRD_FACTOR) & 0xffff);
}

function longHash(first: number, second: number, third: number, fourth: number): number {
  return hashOfThree(first, second, third) ^ ((fourth * 0x6f5) & 0xffff);
}

/** Returns a byte of bytes or byte text; 0 outside. */
function codeAt(text: string | Uint8Array, at: number): number {
  return typeof text === 'string' ? byteOf(text.charCodeAt(at)) : (text[at] ?? 0);
}

/** Returns a byte as it is and in upper case; nothing after the end of a literal. */
function casesOf(code: number | undefined, anyCase = false): readonly number[] {
  if (code === undefined) return [];
  return anyCase && isLower(code) ? [code, code & ~0x20] : [code];
}

function isSame(code: number, wanted: number, anyCase = false): boolean {
  return code === wanted || (anyCase && isLower(wanted) && (code | 0x20) === wanted);
}

function isLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
