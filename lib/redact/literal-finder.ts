import { byteOf, byteTextOf } from './byte-text';

/** A text to find, and whether case matters. */
export interface Literal {
  readonly text: string;
  readonly anyCase?: boolean;
}

/** A literal that was found: the offset after it, and its index. */
export interface LiteralHit {
  readonly end: number;
  readonly index: number;
  /** The state to continue from, because other literals may have started. */
  readonly state: number;
}

/** How far each started literal has matched: pairs of literal and offset. */
type Progress = readonly number[];

/** Marks an entry of the table that was not computed yet. */
const NOT_COMPUTED = 0xffff;
/** States that the table has room for at first. */
const FIRST_STATES = 128;

/**
 * Finds the first of many literals in byte text, with one table look-up per character. The table is a deterministic
 * automaton, filled as texts need it.
 */
export class LiteralFinder {
  readonly #literals: readonly Literal[];
  /** The next state for each state and byte. */
  #table = new Uint16Array(FIRST_STATES << 8).fill(NOT_COMPUTED);
  /**
   * For two bytes: 1 if a literal starts with them or has them at its second place. So looking at every other pair
   * finds every literal.
   */
  readonly #pairs = new Uint8Array(1 << 16);
  /** The same for three bytes, by their hash. */
  readonly #triples = new Uint8Array(1 << 16);
  /** The literals that may start with each byte. */
  readonly #begins: readonly number[][] = ANY.map(() => []);
  readonly #states: Progress[] = [];
  readonly #numbers = new Map<string, number>();
  /** The longest literal that ends in each state; -1 for none. */
  readonly #ended: number[] = [];

  /** `literals`: fewer than ten thousand bytes in total. */
  constructor(literals: readonly Literal[]) {
    this.#literals = literals.map((literal) => ({ ...literal, text: byteTextOf(literal.text) }));
    this.#stateOf([]);
    for (const { text, anyCase } of this.#literals) {
      const [first, second, third, fourth] = Array.from(text.slice(0, 4), (character) => bytesOf(character, anyCase));
      for (const byte of second!) {
        for (const before of first!) this.#pairs[before | (byte << 8)] = 1;
        for (const after of third ?? ANY) {
          this.#pairs[byte | (after << 8)] = 1;
          for (const before of first!) this.#triples[tripleOf(before, byte, after)] = 1;
          for (const next of fourth ?? ANY) this.#triples[tripleOf(byte, after, next)] = 1;
        }
      }
    }
    for (const [index, { text, anyCase }] of this.#literals.entries()) {
      for (const byte of bytesOf(text[0]!, anyCase)) this.#begins[byte]!.push(index);
    }
  }

  /**
   * Returns the first literal that ends after `from`. `begun` is the state of the last hit, for literals that start
   * before.
   */
  nextInText(text: string, from: number, begun = 0): LiteralHit | undefined {
    let state = begun;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const code = unit < 0x80 ? unit : byteOf(unit);
      const next = this.#table[(state << 8) | code]!;
      state = next === NOT_COMPUTED ? this.#after(state, code) : next;
      if (state !== 0 && this.#ended[state]! >= 0) return { end: at + 1, index: this.#ended[state]!, state };
    }
    return undefined;
  }

  /** Returns the first literal that ends after `from` in bytes. */
  nextInBytes(bytes: Uint8Array, from: number, begun = 0): LiteralHit | undefined {
    const pairs = this.#pairs;
    const triples = this.#triples;
    const last = bytes.length - 1;
    let state = begun;
    for (let at = from; at <= last; at++) {
      if (state === 0) {
        let pair = at;
        while (
          pair < last &&
          (pairs[bytes[pair]! | (bytes[pair + 1]! << 8)] === 0 ||
            (pair + 2 <= last && triples[tripleOf(bytes[pair]!, bytes[pair + 1]!, bytes[pair + 2]!)] === 0))
        )
          pair += 2;
        // A literal may have started one byte earlier.
        if (pair > at) at = pair - 1;
      }
      const next = this.#table[(state << 8) | bytes[at]!]!;
      state = next === NOT_COMPUTED ? this.#after(state, bytes[at]!) : next;
      if (state !== 0 && this.#ended[state]! >= 0) return { end: at + 1, index: this.#ended[state]!, state };
    }
    return undefined;
  }

  /** Adds a missing entry to the table. */
  #after(state: number, byte: number): number {
    const made = this.#step(state, byte);
    this.#table[(state << 8) | byte] = made;
    return made;
  }

  #step(state: number, byte: number): number {
    const next: number[] = [];
    const progress = this.#states[state]!;
    for (let at = 0; at < progress.length; at += 2) this.#go(progress[at]!, progress[at + 1]!, byte, next);
    for (const index of this.#begins[byte]!) next.push(index, 1);
    return this.#stateOf(next);
  }

  #go(index: number, place: number, byte: number, next: number[]): void {
    const { text, anyCase } = this.#literals[index]!;
    const code = byteOf(text.charCodeAt(place));
    if (byte === code || (anyCase && isLetter(code) && (byte | 0x20) === code)) next.push(index, place + 1);
  }

  #stateOf(progress: Progress): number {
    const key = progress.join();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const state = this.#states.length;
    let ended = -1;
    for (let at = 0; at < progress.length; at += 2) {
      const { text } = this.#literals[progress[at]!]!;
      const whole = text.length === progress[at + 1];
      if (whole && (ended < 0 || text.length > this.#literals[ended]!.text.length)) ended = progress[at]!;
    }
    this.#numbers.set(key, state);
    this.#states.push(progress);
    this.#ended.push(ended);
    if (this.#states.length << 8 > this.#table.length) {
      const grown = new Uint16Array(this.#table.length * 2).fill(NOT_COMPUTED);
      grown.set(this.#table);
      this.#table = grown;
    }
    return state;
  }
}

/** Returns a hash of three bytes. */
function tripleOf(first: number, second: number, third: number): number {
  return (first | (second << 8)) ^ ((third * 0x9d3) & 0xffff);
}

const ANY = Array.from({ length: 256 }, (_, byte) => byte);

function bytesOf(character: string, anyCase = false): readonly number[] {
  const code = byteOf(character.charCodeAt(0));
  return anyCase && isLetter(code) ? [code, code & ~0x20] : [code];
}

/** Returns true for a lower-case letter. Literals have no others. */
function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
