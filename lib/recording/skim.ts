import { BYTE, isAt, spaceEnd, stringEnd, valueEnd } from '@/lib/wire/json-bytes';
import { LIMITS } from '@/lib/wire/limits';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const strings = (...texts: readonly string[]) => texts.map((text) => encoder.encode(JSON.stringify(text)));

/** Objects that are looked into, by how deep they stand. */
const OPENED: readonly (readonly Uint8Array[])[] = [
  strings('params', 'result', 'error'),
  strings('_meta', 'task', 'ref', 'clientInfo'),
  strings('io.modelcontextprotocol/related-task'),
  [],
];

/** Strings that are never left out: what names something, or is compared with another. */
const NEEDED = strings(
  ...['name', 'uri', 'level', 'taskId', 'requestState', 'progressToken', 'requestId', 'elicitationId', 'resultType'],
);

const [MESSAGE, RESULT_TYPE, INPUT_REQUIRED] = strings('message', 'resultType', 'input_required');

/** Members that say what a message is. */
const TOP = ['jsonrpc', 'id', 'method', 'result', 'error'] as const;
const TOP_KEYS = strings(...TOP);

/**
 * Makes skims. A skim is what rows and state are made of, out of a JSON-RPC message's bytes, as JSON of its own: its members stand in
 * it as they are, in the same order, but
 *
 * - objects and arrays are empty, except `params`, `result` and `error`, in those `_meta`, `task`, `ref` and `clientInfo`, and in
 *   `_meta` what names a task;
 * - of strings in there that are longer than `LIMITS.skimmedStringBytes`, nothing is left, and of a `message` the beginning.
 *
 * There is none where that would not do: of a long name, for example, or where input is asked for (2026-07-28).
 */
export class SkimWriter {
  #from: Uint8Array = new Uint8Array(0);
  #to: Uint8Array = new Uint8Array(0);
  #end = 0;
  #most = 0;
  /** Where the values of `TOP` are in the message, two numbers each; 0 for what it has not. */
  readonly #top = new Uint32Array(2 * TOP.length);

  /**
   * Writes the skim of a message into `to`, from `at` on; returns where it ends, or -1 if it has none, or that would end behind `most`. The
   * bytes have to be JSON in UTF-8.
   */
  write(from: Uint8Array, to: Uint8Array, at: number, most: number): number {
    this.#from = from;
    this.#to = to;
    this.#end = at;
    this.#most = most;
    this.#top.fill(0);
    const start = spaceEnd(from, 0);
    return from[start] === BYTE.openObject && this.#object(start, 0) > 0 ? this.#end : -1;
  }

  /** Of the message that has a skim: whether it has this member. */
  has(name: (typeof TOP)[number]): boolean {
    return this.#top[2 * TOP.indexOf(name)] !== 0;
  }

  /** The member's value, as it stands there; '' for none. */
  text(name: (typeof TOP)[number]): string {
    const place = 2 * TOP.indexOf(name);
    const end = this.#top[place + 1]!;
    let text = '';
    for (let at = this.#top[place]!; at < end; at++) {
      const byte = this.#from[at]!;
      if (byte >= 0x80) return decoder.decode(this.#from.subarray(this.#top[place]!, end));
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Returns where the object ends, or -1: there is to be no skim. */
  #object(start: number, depth: number): number {
    const from = this.#from;
    this.#put(BYTE.openObject);
    let at = spaceEnd(from, start + 1);
    while (from[at] === BYTE.quote) {
      const key = at;
      const keyEnd = stringEnd(from, key);
      // What is written with escapes may be any name.
      for (let place = key; place < keyEnd; place++) if (from[place] === BYTE.backslash) return -1;
      this.#copy(key, keyEnd);
      this.#put(BYTE.colon);
      const value = spaceEnd(from, spaceEnd(from, keyEnd) + 1);
      const end = this.#value(depth, key, keyEnd, value);
      if (end < 0 || this.#end > this.#most) return -1;
      if (depth === 0) this.#note(key, keyEnd, value, end);
      at = spaceEnd(from, end);
      if (from[at] !== BYTE.comma) break;
      this.#put(BYTE.comma);
      at = spaceEnd(from, at + 1);
    }
    this.#put(BYTE.closeObject);
    return this.#end > this.#most ? -1 : at + 1;
  }

  #note(key: number, keyEnd: number, value: number, end: number): void {
    for (let place = 0; place < TOP_KEYS.length; place++) {
      if (!isAt(this.#from, key, keyEnd, TOP_KEYS[place]!)) continue;
      this.#top[2 * place] = value;
      this.#top[2 * place + 1] = end;
    }
  }

  #value(depth: number, key: number, keyEnd: number, value: number): number {
    const first = this.#from[value];
    if (first === BYTE.openObject && this.#isOneOf(OPENED[depth]!, key, keyEnd)) return this.#object(value, depth + 1);
    const end = valueEnd(this.#from, value);
    if (first === BYTE.openObject || first === BYTE.openArray) {
      this.#put(first);
      this.#put(first === BYTE.openObject ? BYTE.closeObject : BYTE.closeArray);
      return end;
    }
    return first === BYTE.quote ? this.#string(depth, key, keyEnd, value, end) : this.#copy(value, end);
  }

  #string(depth: number, key: number, keyEnd: number, value: number, end: number): number {
    const from = this.#from;
    if (end - value <= LIMITS.skimmedStringBytes) {
      const asks = depth === 1 && isAt(from, value, end, INPUT_REQUIRED!) && isAt(from, key, keyEnd, RESULT_TYPE!);
      return asks ? -1 : this.#copy(value, end);
    }
    if (depth === 0 || this.#isOneOf(NEEDED, key, keyEnd)) return -1;
    const isMessage = isAt(from, key, keyEnd, MESSAGE!);
    this.#copy(value, isMessage ? afterChars(from, value + 1, end - 1, LIMITS.progressChars) : value + 1);
    this.#put(BYTE.quote);
    return end;
  }

  #isOneOf(names: readonly Uint8Array[], key: number, keyEnd: number): boolean {
    for (const name of names) if (isAt(this.#from, key, keyEnd, name)) return true;
    return false;
  }

  #put(byte: number): void {
    // Behind the room there is, it only counts: that is looked at afterwards.
    if (this.#end < this.#most) this.#to[this.#end] = byte;
    this.#end++;
  }

  /** Returns where it ends in the message. */
  #copy(start: number, end: number): number {
    const to = this.#to;
    const from = this.#from;
    // Most pieces are some bytes long, for which this is quicker than `set`.
    if (this.#end + end - start <= this.#most) {
      for (let at = start, place = this.#end; at < end; at++) to[place++] = from[at]!;
    }
    this.#end += end - start;
    return end;
  }
}

/** Just past the first `chars` UTF-16 units of the string in `bytes[start, end)`, or one more: no character is cut in two. */
function afterChars(bytes: Uint8Array, start: number, end: number, chars: number): number {
  let at = start;
  for (let units = 0; at < end && units < chars; units++) {
    const byte = bytes[at]!;
    if (byte === BYTE.backslash) at += bytes[at + 1] === BYTE.letterU ? 6 : 2;
    else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    if (byte >= 0xf0) units++;
  }
  return at;
}
