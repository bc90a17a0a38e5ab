// Regular expressions of script files and evals, matched in time that grows only with the lengths of pattern and text:
// the text comes from servers and models, and a backtracking engine can take for ever. Without look-around and
// references to groups, which need backtracking.

/** Most steps of a compiled pattern, most characters of a text, and deepest nesting. */
const MOST_STEPS = 1000;
const MOST_TEXT = 20_000;
const MOST_DEPTH = 50;

/** A pattern has a mistake. `message` is a sentence. */
export class PatternError extends Error {}

/** Groups of a match by number and name; `0` is the whole match. Groups that took no part are missing. */
export type PatternGroups = ReadonlyMap<string, string>;

type Test = (code: number) => boolean;

type Step =
  | { readonly type: 'one'; readonly test: Test }
  /** Tried in their order. */
  | { readonly type: 'split'; readonly to: readonly number[] }
  | { readonly type: 'save'; readonly slot: number }
  | { readonly type: 'assert'; readonly holds: (text: string, at: number) => boolean }
  | { readonly type: 'match' };

/** Steps that are placed when their start is known. */
type Piece = (steps: Step[]) => void;

/** A compiled pattern, in the syntax of JavaScript. */
export class SafePattern {
  readonly #steps: readonly Step[];
  readonly #names: readonly string[];
  readonly #isFolded: boolean;

  /** Throws {@link PatternError}. */
  constructor(source: string, flags: { readonly ignoreCase?: boolean } = {}) {
    this.#isFolded = flags.ignoreCase ?? false;
    const { piece, names } = new Parser(source, this.#isFolded).parse();
    const steps: Step[] = [];
    save(0)(steps);
    piece(steps);
    save(1)(steps);
    steps.push({ type: 'match' });
    this.#steps = steps;
    this.#names = names;
  }

  /** Returns the first match in the text's first 20,000 characters. */
  match(whole: string): PatternGroups | undefined {
    const text = whole.slice(0, MOST_TEXT);
    const slots = this.#run(text);
    if (slots === undefined) return undefined;
    const groups = new Map<string, string>();
    for (let group = 0; group * 2 < slots.length; group++) {
      const [from = -1, to = -1] = slots.slice(group * 2, group * 2 + 2);
      if (from < 0 || to < 0) continue;
      groups.set(String(group), text.slice(from, to));
      const name = this.#names[group];
      if (name !== undefined && name !== '') groups.set(name, text.slice(from, to));
    }
    return groups;
  }

  /** Follows all ways through the pattern side by side, the preferred one first. */
  #run(text: string): readonly number[] | undefined {
    const steps = this.#steps;
    const seen = new Int32Array(steps.length).fill(-1);
    let threads: { readonly at: number; readonly slots: readonly number[] }[] = [];
    let found: readonly number[] | undefined;
    for (let at = 0; at <= text.length; at++) {
      const next: typeof threads = [];
      const code = at < text.length ? fold(text.charCodeAt(at), this.#isFolded) : -1;
      const ready: typeof threads = [];
      const follow = (first: number, given: readonly number[]): void => {
        const open = [{ at: first, slots: given }];
        for (let one = open.pop(); one !== undefined; one = open.pop()) {
          if (seen[one.at] === at) continue;
          seen[one.at] = at;
          const step = steps[one.at]!;
          if (step.type === 'split') {
            for (const to of step.to.toReversed()) open.push({ at: to, slots: one.slots });
          } else if (step.type === 'save') {
            const slots = [...one.slots];
            slots[step.slot] = at;
            open.push({ at: one.at + 1, slots });
          } else if (step.type === 'assert') {
            if (step.holds(text, at)) open.push({ at: one.at + 1, slots: one.slots });
          } else ready.push(one);
        }
      };
      for (const { at: step, slots } of threads) follow(step, slots);
      // A match that begins later is worth less than each that has begun.
      if (found === undefined) follow(0, []);
      for (const { at: place, slots } of ready) {
        const step = steps[place]!;
        if (step.type === 'match') {
          found = slots;
          break;
        }
        if (step.type === 'one' && code >= 0 && step.test(code)) next.push({ at: place + 1, slots });
      }
      threads = next;
      if (threads.length === 0 && found !== undefined) break;
    }
    return found;
  }
}

function save(slot: number): Piece {
  return (steps) => {
    steps.push({ type: 'save', slot });
  };
}

/** Folds ASCII letters, which is enough for words of scripts. */
function fold(code: number, isFolded: boolean): number {
  return isFolded && code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

const isDigit: Test = (code) => code >= 0x30 && code <= 0x39;
const isWord: Test = (code) =>
  isDigit(code) || code === 0x5f || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isSpace: Test = (code) => /\s/.test(String.fromCharCode(code));
const isLineEnd: Test = (code) => code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;
const not =
  (test: Test): Test =>
  (code) =>
    !test(code);
const CLASSES: ReadonlyMap<string, Test> = new Map([
  ['d', isDigit],
  ['D', not(isDigit)],
  ['w', isWord],
  ['W', not(isWord)],
  ['s', isSpace],
  ['S', not(isSpace)],
]);
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
]);

function isBoundary(text: string, at: number): boolean {
  return (at > 0 && isWord(text.charCodeAt(at - 1))) !== (at < text.length && isWord(text.charCodeAt(at)));
}

/** Reads a pattern from left to right. */
class Parser {
  readonly #source: string;
  readonly #isFolded: boolean;
  /** Names of groups by number; '' for those without. */
  readonly #names: string[] = [''];
  #at = 0;
  #depth = 0;

  constructor(source: string, isFolded: boolean) {
    this.#source = source;
    this.#isFolded = isFolded;
  }

  parse(): { readonly piece: Piece; readonly names: readonly string[] } {
    const piece = this.#alternatives();
    if (this.#at < this.#source.length) throw new PatternError('A ) has no (.');
    return { piece, names: this.#names };
  }

  #alternatives(): Piece {
    if (++this.#depth > MOST_DEPTH) throw new PatternError('Groups are nested too deep.');
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    this.#depth--;
    return branches.length === 1 ? branches[0]! : (steps) => placeBranches(steps, branches);
  }

  #sequence(): Piece {
    const pieces: Piece[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) pieces.push(this.#repeated());
    return (steps) => {
      for (const piece of pieces) piece(steps);
    };
  }

  #repeated(): Piece {
    const piece = this.#atom();
    const counts = this.#counts();
    if (counts === undefined) return piece;
    const isLazy = this.#take('?');
    if (this.#counts() !== undefined) throw new PatternError('A repetition is repeated.');
    const [least, most] = counts;
    return (steps) => {
      for (let time = 0; time < least; time++) place(steps, piece);
      if (most === undefined) placeLoop(steps, piece, isLazy);
      else placeOptional(steps, piece, most - least, isLazy);
    };
  }

  /** Reads how often the last atom may be repeated. */
  #counts(): readonly [least: number, most: number | undefined] | undefined {
    if (this.#take('*')) return [0, undefined];
    if (this.#take('+')) return [1, undefined];
    if (this.#take('?')) return [0, 1];
    const [text, least = '', comma, most = ''] =
      /^\{(\d{1,4})(,?)(\d{0,4})\}/.exec(this.#source.slice(this.#at, this.#at + 12)) ?? [];
    if (text === undefined) return undefined;
    this.#at += text.length;
    const from = Number(least);
    const to = comma === '' ? from : most === '' ? undefined : Number(most);
    if (to !== undefined && to < from) throw new PatternError('A repetition has a higher least than most number.');
    return [from, to];
  }

  #atom(): Piece {
    const character = this.#source[this.#at++]!;
    if (character === '(') return this.#group();
    if (character === '[') return one(this.#class());
    if (character === '.') return one(not(isLineEnd));
    if (character === '^') return assert((_, at) => at === 0);
    if (character === '$') return assert((text, at) => at === text.length);
    if ('*+?'.includes(character)) throw new PatternError(`Nothing stands before ${character}.`);
    if (character !== '\\') return one(this.#same(character));
    if (this.#take('b')) return assert(isBoundary);
    if (this.#take('B')) return assert((text, at) => !isBoundary(text, at));
    return one(this.#escaped());
  }

  #group(): Piece {
    let name: string | undefined = '';
    if (this.#take('?')) {
      if (this.#take(':')) name = undefined;
      else {
        const [text, given] = /^<([A-Za-z_]\w{0,63})>/.exec(this.#source.slice(this.#at)) ?? [];
        if (text === undefined) throw new PatternError('Look-around is not supported.');
        this.#at += text.length;
        name = given!;
      }
    }
    if (name !== undefined && name !== '' && this.#names.includes(name))
      throw new PatternError(`Two groups are called ${name}.`);
    const number = name === undefined ? 0 : this.#names.push(name) - 1;
    const inner = this.#alternatives();
    if (!this.#take(')')) throw new PatternError('A ( has no ).');
    if (name === undefined) return inner;
    return (steps) => {
      save(number * 2)(steps);
      inner(steps);
      save(number * 2 + 1)(steps);
    };
  }

  #class(): Test {
    const isNegated = this.#take('^');
    const tests: Test[] = [];
    while (!this.#take(']')) {
      if (this.#at >= this.#source.length) throw new PatternError('A [ has no ].');
      const from = this.#classCharacter();
      const isRange =
        this.#source[this.#at] === '-' && this.#at + 1 < this.#source.length && this.#source[this.#at + 1] !== ']';
      if (typeof from !== 'string' || !isRange) {
        tests.push(typeof from === 'string' ? this.#same(from) : from);
        continue;
      }
      this.#at++;
      const to = this.#classCharacter();
      if (typeof to !== 'string' || to < from) throw new PatternError('A range in [ ] is not valid.');
      tests.push(this.#range(from.charCodeAt(0), to.charCodeAt(0)));
    }
    const any: Test = (code) => tests.some((test) => test(code));
    return isNegated ? not(any) : any;
  }

  #classCharacter(): string | Test {
    const character = this.#source[this.#at++]!;
    if (character !== '\\') return character;
    const escaped = this.#source[this.#at] ?? '';
    const test = CLASSES.get(escaped);
    if (test !== undefined) {
      this.#at++;
      return test;
    }
    if (escaped === 'b') {
      this.#at++;
      return '\b';
    }
    return this.#escapedCharacter();
  }

  #escaped(): Test {
    const test = CLASSES.get(this.#source[this.#at] ?? '');
    if (test === undefined) return this.#same(this.#escapedCharacter());
    this.#at++;
    return test;
  }

  #escapedCharacter(): string {
    const character = this.#source[this.#at++];
    if (character === undefined) throw new PatternError('A \\ ends the pattern.');
    if (/[1-9k]/.test(character)) throw new PatternError('References to groups are not supported.');
    const control = CONTROLS.get(character);
    if (control !== undefined) return control;
    if (character === 'x' || character === 'u') {
      const digits = character === 'x' ? 2 : 4;
      const text = this.#source.slice(this.#at, this.#at + digits);
      if (!new RegExp(`^[0-9a-f]{${digits}}$`, 'i').test(text))
        throw new PatternError(`\\${character} needs ${digits} hexadecimal digits.`);
      this.#at += digits;
      return String.fromCharCode(Number.parseInt(text, 16));
    }
    if (/[A-Za-z]/.test(character)) throw new PatternError(`\\${character} is not supported.`);
    return character;
  }

  #same(character: string): Test {
    const wanted = fold(character.charCodeAt(0), this.#isFolded);
    return (code) => code === wanted;
  }

  #range(from: number, to: number): Test {
    const isIn: Test = (code) => code >= from && code <= to;
    if (!this.#isFolded) return isIn;
    return (code) => isIn(code) || (code >= 0x61 && code <= 0x7a && isIn(code - 0x20));
  }

  #take(character: string): boolean {
    if (this.#source[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}

function one(test: Test): Piece {
  return (steps) => {
    steps.push({ type: 'one', test });
  };
}

function assert(holds: (text: string, at: number) => boolean): Piece {
  return (steps) => {
    steps.push({ type: 'assert', holds });
  };
}

/** Places a piece, within the bound. */
function place(steps: Step[], piece: Piece): void {
  if (steps.length > MOST_STEPS) throw new PatternError('The pattern is too long.');
  piece(steps);
}

function split(isLazy: boolean, inside: number, after: number): Step {
  return { type: 'split', to: isLazy ? [after, inside] : [inside, after] };
}

function placeLoop(steps: Step[], piece: Piece, isLazy: boolean): void {
  const start = steps.length;
  steps.push({ type: 'match' });
  place(steps, piece);
  steps.push({ type: 'split', to: [start] });
  steps[start] = split(isLazy, start + 1, steps.length);
}

function placeOptional(steps: Step[], piece: Piece, times: number, isLazy: boolean): void {
  const starts: number[] = [];
  for (let time = 0; time < times; time++) {
    starts.push(steps.length);
    steps.push({ type: 'match' });
    place(steps, piece);
  }
  for (const start of starts) steps[start] = split(isLazy, start + 1, steps.length);
}

function placeBranches(steps: Step[], branches: readonly Piece[]): void {
  const start = steps.length;
  steps.push({ type: 'match' });
  const starts: number[] = [];
  const ends: number[] = [];
  for (const branch of branches) {
    starts.push(steps.length);
    place(steps, branch);
    ends.push(steps.length);
    steps.push({ type: 'match' });
  }
  steps[start] = { type: 'split', to: starts };
  for (const end of ends) steps[end] = { type: 'split', to: [steps.length] };
}
