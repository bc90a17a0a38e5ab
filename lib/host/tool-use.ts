import type { JsonSource } from '@/lib/json/source';
import { DurationHistogram } from '@/lib/store/exchanges/latencies';
import type { RowStatus } from '@/lib/store/rows/row';
import { textHash } from '@/lib/wire/text-hash';

/** Most tools of a log whose calls are counted by name. A host calls what a server lists, which may be thousands. */
export const MOST_TOOLS = 5_000;
/** Most parameters of one tool. More are names made up by a host, or keys of a map. */
export const MOST_PARAMETERS = 200;
/** Most different values kept per parameter. */
export const MOST_VALUES = 30;
/** Characters of a value that are kept, as JSON. */
export const VALUE_CHARS = 120;
/** Characters of all kept values and names of a log together. About 16 MB. */
const ALL_CHARS = 8 * 1024 * 1024;
/** Characters of a name that are kept. Longer ones end with a hash, so that they stay different. */
const NAME_CHARS = 300;

/** A value of a parameter, and how often it was given. */
export interface ValueUse {
  /** JSON as written, cut after `VALUE_CHARS`. */
  readonly text: string;
  readonly isCut: boolean;
  readonly count: number;
}

/** How a host uses a parameter of a tool. */
export interface ParameterUse {
  readonly given: number;
  /** Calls with it that failed. */
  readonly errors: number;
  /** The most frequent first, at most `MOST_VALUES`. */
  readonly values: readonly ValueUse[];
  /** Calls with a value that is not in `values`. */
  readonly others: number;
}

/** How a host calls a tool. */
export interface ToolCalls {
  readonly calls: number;
  /** Errors, tool errors, timeouts, and calls that the server's end left without an answer. */
  readonly errors: number;
  readonly cancelled: number;
  /** Microseconds, within 1.1 %; undefined before the first answer. */
  readonly p50Us: number | undefined;
  readonly p95Us: number | undefined;
  /** Each duration, while there are few; see `FEWEST_FOR_QUANTILES`. */
  readonly singlesUs: readonly number[] | undefined;
  /** Calls with arguments that are not an object. None at all is an empty object. */
  readonly oddArguments: number;
  /** seqs of the first and the newest call. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** Returns a name as it is counted: as it is, or cut if it is very long. */
export function countedName(name: string): string {
  return name.length <= NAME_CHARS ? name : `${ownCopy(name.slice(0, NAME_CHARS))}… ${textHash(name)}`;
}

/** Copies a text: a part of a string keeps the whole message in memory. */
export function ownCopy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** Room that all tools of a log share. */
export class Room {
  #left = ALL_CHARS;

  /** Reserves room for this many characters. Returns false if there is too little. */
  take(chars: number): boolean {
    if (chars > this.#left) return false;
    this.#left -= chars;
    return true;
  }
}

const FAILED: ReadonlySet<RowStatus> = new Set<RowStatus>(['error', 'tool-error', 'timeout', 'lost']);

/** The calls of one tool. A call costs as much as its arguments have members, and memory is bounded. */
export class ToolUse {
  readonly #room: Room;
  readonly #parameters = new Map<string, CountedParameter>();
  readonly #durations = new DurationHistogram();
  readonly #firstSeq: number;
  #lastSeq: number;
  #calls = 0;
  #errors = 0;
  #cancelled = 0;
  #oddArguments = 0;

  constructor(room: Room, seq: number) {
    this.#room = room;
    this.#firstSeq = seq;
    this.#lastSeq = seq;
  }

  /** Adds a call. Returns the names of its parameters, for {@link addEnd}. */
  addCall(seq: number, args: JsonSource | undefined): readonly string[] {
    this.#calls++;
    this.#lastSeq = seq;
    if (args === undefined) return [];
    if (args.kind !== 'object') {
      this.#oddArguments++;
      return [];
    }
    // A name that is written twice has its last value.
    const given = new Map<string, JsonSource>();
    for (const { name = '', source } of args.children(MOST_PARAMETERS).children) given.set(countedName(name), source);
    for (const [name, value] of given) this.#parameter(name)?.addValue(value);
    return [...given.keys()];
  }

  #parameter(name: string): CountedParameter | undefined {
    const known = this.#parameters.get(name);
    if (known || this.#parameters.size >= MOST_PARAMETERS || !this.#room.take(name.length)) return known;
    const made = new CountedParameter(this.#room);
    this.#parameters.set(name, made);
    return made;
  }

  /** Adds the end of a call with these parameters. `us`: microseconds until its answer; undefined without one. */
  addEnd(status: RowStatus, us: number | undefined, names: readonly string[]): void {
    if (us !== undefined) this.#durations.add(us);
    if (status === 'cancelled') this.#cancelled++;
    if (!FAILED.has(status)) return;
    this.#errors++;
    for (const name of names) this.#parameters.get(name)?.addError();
  }

  get calls(): ToolCalls {
    return {
      calls: this.#calls,
      errors: this.#errors,
      cancelled: this.#cancelled,
      p50Us: this.#durations.quantile(0.5),
      p95Us: this.#durations.quantile(0.95),
      singlesUs: this.#durations.singles,
      oddArguments: this.#oddArguments,
      firstSeq: this.#firstSeq,
      lastSeq: this.#lastSeq,
    };
  }

  /** Parameters that were given, in the order in which they were first seen. */
  parameters(): ReadonlyMap<string, ParameterUse> {
    return new Map(Array.from(this.#parameters, ([name, parameter]) => [name, parameter.use()]));
  }
}

class CountedParameter {
  readonly #room: Room;
  /** By the text, or by the start and the hash of a long one. */
  readonly #values = new Map<string, { readonly text: string; readonly isCut: boolean; count: number }>();
  #given = 0;
  #errors = 0;
  #others = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  addValue(value: JsonSource): void {
    this.#given++;
    const isCut = value.length > VALUE_CHARS;
    const text = isCut ? value.textStart(VALUE_CHARS) : value.text;
    const key = isCut ? `${text} ${textHash(value.text)}` : text;
    const known = this.#values.get(key);
    if (known) known.count++;
    else if (this.#values.size < MOST_VALUES && this.#room.take(key.length + text.length))
      this.#values.set(ownCopy(key), { text: ownCopy(text), isCut, count: 1 });
    else this.#others++;
  }

  addError(): void {
    this.#errors++;
  }

  use(): ParameterUse {
    const values = [...this.#values.values()].sort((a, b) => b.count - a.count).map((value) => ({ ...value }));
    return { given: this.#given, errors: this.#errors, values, others: this.#others };
  }
}
