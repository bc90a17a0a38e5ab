/** A text to be found, and whether in any case. */
export interface Literal {
  readonly text: string;
  readonly anyCase?: boolean;
}

/** Where one of the literals ends, and which. */
export interface LiteralHit {
  readonly end: number;
  readonly index: number;
  /** What else may have begun: to go on from the end with. */
  readonly state: number;
}

/** How far each literal has come: literal and place in pairs, the others being at their beginning. */
type Progress = readonly number[];

const UNKNOWN = 0xffff;
/** That there is room for at first. */
const STATES = 128;

/**
 * Finds the first of many literals in a byte text, in one table look-up a character, however many there are. The table is that
 * of a deterministic automaton, filled as texts need it.
 */
export class LiteralFinder {
  readonly #literals: readonly Literal[];
  /** What follows from each state with each byte. */
  #table = new Uint16Array(STATES << 8).fill(UNKNOWN);
  /** By two bytes: 1 where a literal begins with them, or has them as its second and third. So of every other pair of a text one is of a literal in it. */
  readonly #pairs = new Uint8Array(1 << 16);
  readonly #states: Progress[] = [];
  readonly #numbers = new Map<string, number>();
  /** Of each state the literal that ends in it, the longest; -1 for none. */
  readonly #ended: number[] = [];

  /** All of ASCII; together of less than ten thousand characters. */
  constructor(literals: readonly Literal[]) {
    this.#literals = literals;
    this.#stateOf([]);
    for (const { text, anyCase } of literals) {
      const [first, second, third] = Array.from(text.slice(0, 3), (character) => bytesOf(character, anyCase));
      for (const byte of second!) {
        for (const before of first!) this.#pairs[before | (byte << 8)] = 1;
        for (const after of third ?? ANY) this.#pairs[byte | (after << 8)] = 1;
      }
    }
  }

  /** The first one that ends behind `from`; of those that begin before, what the state of the last hit knows of. */
  nextInText(text: string, from: number, begun = 0): LiteralHit | undefined {
    let state = begun;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at) & 0xff;
      const next = this.#table[(state << 8) | code]!;
      state = next === UNKNOWN ? this.#after(state, code) : next;
      if (state !== 0 && this.#ended[state]! >= 0) return { end: at + 1, index: this.#ended[state]!, state };
    }
    return undefined;
  }

  /** The same in bytes. */
  nextInBytes(bytes: Uint8Array, from: number, begun = 0): LiteralHit | undefined {
    const pairs = this.#pairs;
    const last = bytes.length - 1;
    let state = begun;
    for (let at = from; at <= last; at++) {
      if (state === 0) {
        let pair = at;
        while (pair < last && pairs[bytes[pair]! | (bytes[pair + 1]! << 8)] === 0) pair += 2;
        // One may have begun a byte before.
        if (pair > at) at = pair - 1;
      }
      const next = this.#table[(state << 8) | bytes[at]!]!;
      state = next === UNKNOWN ? this.#after(state, bytes[at]!) : next;
      if (state !== 0 && this.#ended[state]! >= 0) return { end: at + 1, index: this.#ended[state]!, state };
    }
    return undefined;
  }

  /** Of what the table does not have yet. */
  #after(state: number, byte: number): number {
    const made = this.#step(state, byte);
    this.#table[(state << 8) | byte] = made;
    return made;
  }

  #step(state: number, byte: number): number {
    const came: number[] = [];
    const progress = this.#states[state]!;
    for (let at = 0; at < progress.length; at += 2) this.#go(progress[at]!, progress[at + 1]!, byte, came);
    for (let index = 0; index < this.#literals.length; index++) this.#go(index, 0, byte, came);
    return this.#stateOf(came);
  }

  #go(index: number, place: number, byte: number, came: number[]): void {
    const { text, anyCase } = this.#literals[index]!;
    const code = text.charCodeAt(place);
    if (byte === code || (anyCase && isLetter(code) && (byte | 0x20) === code)) came.push(index, place + 1);
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
      const grown = new Uint16Array(this.#table.length * 2).fill(UNKNOWN);
      grown.set(this.#table);
      this.#table = grown;
    }
    return state;
  }
}

const ANY = Array.from({ length: 256 }, (_, byte) => byte);

function bytesOf(character: string, anyCase = false): readonly number[] {
  const code = character.charCodeAt(0);
  return anyCase && isLetter(code) ? [code, code & ~0x20] : [code];
}

/** In lower case, as literals are written. */
function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
