import { parseBounded } from '@/lib/json/parse';
import { BYTE, equalsAt, skipSpace, valueEnd } from '@/lib/json/scan';
import { isObject, own } from '@/lib/json/value';
import { FLAG, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { idKey } from '@/lib/wire/message';
import { META_KEY } from '@/lib/wire/protocol-names';

/** Client requests whose results the panels' state is derived from. These requests and results stay whole. */
const STATE_METHODS: ReadonlySet<unknown> = new Set([
  'initialize',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
]);

/** Longest useful skim, as a share of its message. */
const WORTHWHILE_RATIO = 0.75;
/** Size of the buffers that skims are written to, many in each. */
const ARENA_BYTES = 64 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Skimmed = Pick<Frame, 'channel' | 'direction' | 'flags' | 'bytes'>;

/**
 * Makes skims of a log's frames, in order. A skim is a JSON-RPC message without its long values, which is enough for
 * the message's row and for the state. These frames have none: non-messages, handshakes and lists, requests from the
 * server, requests for input, batches, pieces of over-long lines, and messages that would not get much shorter.
 */
export class Skimmer {
  readonly #writer = new SkimWriter();
  /** Directions in which an over-long line has not ended yet. */
  readonly #continuing = new Set<string>();
  /** Unanswered client requests by id: how many share it, and whether one of them has a method in `STATE_METHODS`. */
  readonly #open = new Map<string, { count: number; followed: boolean }>();
  #arena = new Uint8Array(ARENA_BYTES);
  #end = 0;

  /**
   * Returns the skim of the next frame in the form of a batch entry (wire/batch.ts); undefined if the frame has to stay
   * whole. `isJson`: the bytes are known to be JSON in UTF-8. Returned arrays are not reused.
   */
  skim(frame: Skimmed, isJson: boolean): Uint8Array | undefined {
    if (this.#arena.length - this.#end < LIMITS.skimBytes) {
      this.#arena = new Uint8Array(ARENA_BYTES);
      this.#end = 0;
    }
    const start = this.#end;
    const end = this.writeSkim(frame, isJson, this.#arena, start);
    if (end < 0) return undefined;
    this.#end = end;
    return this.#arena.subarray(start, end);
  }

  /**
   * Writes the skim of the next frame to `to` at `start`, where `LIMITS.skimBytes` must fit. Returns its end, or -1 if
   * the frame has to stay whole. See {@link skim}.
   */
  writeSkim(frame: Skimmed, isJson: boolean, to: Uint8Array, start: number): number {
    if (frame.channel !== 'protocol' || this.#isPiece(frame)) return -1;
    if (!isJson && !isJsonText(frame.bytes)) return -1;
    const most = start + Math.min(LIMITS.skimBytes - 1, Math.floor(WORTHWHILE_RATIO * frame.bytes.length));
    const end = this.#writer.write(frame.bytes, to, startEntry(frame.bytes.length, to, start), most);
    if (end < 0) {
      this.#trackRequests(frame);
      return -1;
    }
    if (this.#mustStayWhole(frame.direction)) return -1;
    to[end] = BYTE.closeArray;
    return end + 1;
  }

  #isPiece({ direction, flags }: Skimmed): boolean {
    if (flags === 0 && this.#continuing.size === 0) return false;
    const piece = this.#continuing.has(direction);
    const goesOn = (flags & FLAG.continued) !== 0;
    if (goesOn) this.#continuing.add(direction);
    else this.#continuing.delete(direction);
    return piece || goesOn;
  }

  /** Returns true if the message whose skim was just written has to stay whole. */
  #mustStayWhole(direction: Frame['direction']): boolean {
    const writer = this.#writer;
    const hasId = writer.has('id');
    // Without `id` and `jsonrpc` this may not be a message, and other frames are shown whole.
    if (!hasId && !writer.has('jsonrpc')) return true;
    if (writer.has('method')) {
      if (!writer.isString('method')) return true;
      if (!hasId) return false;
      const [id, method] = [writer.text('id'), writer.text('method')];
      return direction === 'to-client' || this.#addRequest(JSON.parse(id), JSON.parse(method));
    }
    if (!writer.has('result') && (!writer.has('error') || writer.text('error') === 'null')) return true;
    return direction === 'to-client' && this.#removeRequest(hasId ? JSON.parse(writer.text('id')) : undefined);
  }

  /** Updates the unanswered requests for a message without a skim. */
  #trackRequests({ direction, bytes }: Skimmed): void {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    for (const message of Array.isArray(value) ? value : [value]) {
      if (!isObject(message) || !Object.hasOwn(message, 'id')) continue;
      const [id, method] = [own(message, 'id'), own(message, 'method')];
      if (direction === 'to-server' && typeof method === 'string') this.#addRequest(id, method);
      if (direction === 'to-client' && typeof method !== 'string') this.#removeRequest(id);
    }
  }

  /** Records a client request. Returns true if state is derived from its result. */
  #addRequest(id: unknown, method: string): boolean {
    const followed = STATE_METHODS.has(method);
    const key = idKey(id);
    const open = this.#open.get(key);
    if (!open) this.#open.set(key, { count: 1, followed });
    else {
      open.count++;
      open.followed ||= followed;
    }
    return followed;
  }

  /** Records a response. Returns true if state may be derived from its result. */
  #removeRequest(id: unknown): boolean {
    const key = idKey(id);
    const open = this.#open.get(key);
    if (!open) return false;
    if (--open.count === 0) this.#open.delete(key);
    return open.followed;
  }
}

/** Returns true for JSON. Lines store some JSON as text, such as messages with white space around them. */
function isJsonText(bytes: Uint8Array): boolean {
  try {
    parseBounded(decoder.decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Writes the head of an entry. Returns where the skim starts. */
function startEntry(length: number, to: Uint8Array, at: number): number {
  const digits = String(length);
  to[at] = BYTE.openArray;
  for (let place = 0; place < digits.length; place++) to[at + 1 + place] = digits.charCodeAt(place);
  to[at + 1 + digits.length] = BYTE.comma;
  return at + 2 + digits.length;
}

/** Longest string that a skim keeps whole, in bytes with its quotes. */
const SKIMMED_STRING_BYTES = 200;

const encoder = new TextEncoder();
const lenientDecoder = new TextDecoder();
const strings = (...texts: readonly string[]) => texts.map((text) => encoder.encode(JSON.stringify(text)));

/** Members whose objects a skim keeps, by depth. Other objects become empty. */
const OPENED_OBJECTS: readonly (readonly Uint8Array[])[] = [
  strings('params', 'result', 'error'),
  strings('_meta', 'task', 'ref', 'clientInfo', 'serverInfo'),
  strings(META_KEY.relatedTask, META_KEY.serverInfo),
  [],
];

/** Strings that are never shortened: names, and values that are compared. */
const KEPT_STRINGS = strings(
  'name',
  'uri',
  'level',
  'taskId',
  'requestState',
  'progressToken',
  'requestId',
  'elicitationId',
  'resultType',
  'status',
  'createdAt',
  'lastUpdatedAt',
);

const [RESULT_TYPE, INPUT_REQUIRED] = strings('resultType', 'input_required');
/** Strings whose start is shown, of progress and tasks. */
const MESSAGES = strings('message', 'statusMessage');

/** Members that identify the kind of message. */
const TOP_MEMBERS = ['jsonrpc', 'id', 'method', 'result', 'error'] as const;
const TOP_KEYS = strings(...TOP_MEMBERS);

/**
 * Writes skims. A skim has the members of its message in the same order, with these changes:
 *
 * - Objects and arrays are empty, except the objects in `OPENED_OBJECTS`.
 * - Long strings are empty, except those in `MESSAGES`, which keep their start.
 *
 * Some messages would lose what rows need, so they have no skim: for example those with a long name, and requests for
 * input (2026-07-28).
 */
class SkimWriter {
  #from: Uint8Array = new Uint8Array(0);
  #to: Uint8Array = new Uint8Array(0);
  #end = 0;
  #most = 0;
  /** Start and end in the message of each value in `TOP_MEMBERS`; 0 if absent. */
  readonly #top = new Uint32Array(2 * TOP_MEMBERS.length);

  /**
   * Writes the skim of a message to `to` at `at`. Returns its end, or -1 if the message has no skim or the end would be
   * beyond `most`. The bytes have to be JSON in UTF-8.
   */
  write(from: Uint8Array, to: Uint8Array, at: number, most: number): number {
    this.#from = from;
    this.#to = to;
    this.#end = at;
    this.#most = most;
    this.#top.fill(0);
    const start = skipSpace(from, 0);
    return from[start] === BYTE.openObject && this.#object(start, 0) > 0 ? this.#end : -1;
  }

  /** Returns true if the message whose skim was written last has this member. */
  has(name: (typeof TOP_MEMBERS)[number]): boolean {
    return this.#top[2 * TOP_MEMBERS.indexOf(name)] !== 0;
  }

  /** Returns true if the member's value is a string. */
  isString(name: (typeof TOP_MEMBERS)[number]): boolean {
    return this.#from[this.#top[2 * TOP_MEMBERS.indexOf(name)]!] === BYTE.quote;
  }

  /** Returns the member's value as JSON text; '' if absent. */
  text(name: (typeof TOP_MEMBERS)[number]): string {
    const place = 2 * TOP_MEMBERS.indexOf(name);
    const end = this.#top[place + 1]!;
    let text = '';
    for (let at = this.#top[place]!; at < end; at++) {
      const byte = this.#from[at]!;
      if (byte >= 0x80) return lenientDecoder.decode(this.#from.subarray(this.#top[place]!, end));
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Writes an object. Returns its end in the message, or -1 if there is no skim. */
  #object(start: number, depth: number): number {
    const from = this.#from;
    this.#put(BYTE.openObject);
    let at = skipSpace(from, start + 1);
    while (from[at] === BYTE.quote) {
      const key = at;
      const keyEnd = plainStringEnd(from, key);
      if (keyEnd < 0) return -1;
      this.#copy(key, keyEnd);
      this.#put(BYTE.colon);
      const value = skipSpace(from, skipSpace(from, keyEnd) + 1);
      const end = this.#value(depth, key, keyEnd, value);
      if (end < 0 || this.#end > this.#most) return -1;
      if (depth === 0) this.#noteTopMember(key, keyEnd, value, end);
      at = skipSpace(from, end);
      if (from[at] !== BYTE.comma) break;
      this.#put(BYTE.comma);
      at = skipSpace(from, at + 1);
    }
    this.#put(BYTE.closeObject);
    return this.#end > this.#most ? -1 : at + 1;
  }

  #noteTopMember(key: number, keyEnd: number, value: number, end: number): void {
    for (let place = 0; place < TOP_KEYS.length; place++) {
      if (!equalsAt(this.#from, key, keyEnd, TOP_KEYS[place]!)) continue;
      this.#top[2 * place] = value;
      this.#top[2 * place + 1] = end;
    }
  }

  #value(depth: number, key: number, keyEnd: number, value: number): number {
    const first = this.#from[value];
    if (first === BYTE.openObject && this.#isOneOf(OPENED_OBJECTS[depth]!, key, keyEnd))
      return this.#object(value, depth + 1);
    const end = valueEnd(this.#from, value);
    if (end < 0) return -1;
    if (first === BYTE.openObject || first === BYTE.openArray) {
      this.#put(first);
      this.#put(first === BYTE.openObject ? BYTE.closeObject : BYTE.closeArray);
      return end;
    }
    return first === BYTE.quote ? this.#string(depth, key, keyEnd, value, end) : this.#copy(value, end);
  }

  #string(depth: number, key: number, keyEnd: number, value: number, end: number): number {
    const from = this.#from;
    if (end - value <= SKIMMED_STRING_BYTES) {
      const asks =
        depth === 1 && equalsAt(from, value, end, INPUT_REQUIRED!) && equalsAt(from, key, keyEnd, RESULT_TYPE!);
      return asks ? -1 : this.#copy(value, end);
    }
    if (depth === 0 || this.#isOneOf(KEPT_STRINGS, key, keyEnd)) return -1;
    const isMessage = this.#isOneOf(MESSAGES, key, keyEnd);
    this.#copy(value, isMessage ? afterChars(from, value + 1, end - 1, LIMITS.progressChars) : value + 1);
    this.#put(BYTE.quote);
    return end;
  }

  #isOneOf(names: readonly Uint8Array[], key: number, keyEnd: number): boolean {
    for (const name of names) if (equalsAt(this.#from, key, keyEnd, name)) return true;
    return false;
  }

  #put(byte: number): void {
    // Beyond the available room, the writer only counts bytes. The caller checks afterwards.
    if (this.#end < this.#most) this.#to[this.#end] = byte;
    this.#end++;
  }

  /** Copies `[start, end)` of the message and returns `end`. */
  #copy(start: number, end: number): number {
    const to = this.#to;
    const from = this.#from;
    // Most pieces are a few bytes, where this is faster than `set`.
    if (this.#end + end - start <= this.#most) {
      for (let at = start, place = this.#end; at < end; at++) to[place++] = from[at]!;
    }
    this.#end += end - start;
    return end;
  }
}

/**
 * Returns the index after the closing quote of the string at `start`; -1 if it has an escape, which could spell one of
 * the names that matter here.
 */
function plainStringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length && bytes[at] !== BYTE.backslash; at++) {
    if (bytes[at] === BYTE.quote) return at + 1;
  }
  return -1;
}

/**
 * Returns the offset after the first `chars` UTF-16 units of the string in `bytes[start, end)`, plus one unit if that
 * would split a character.
 */
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

const comparison = new SkimWriter();

/** Returns true if a batch entry is the skim of these bytes. */
export function isSkimOf(entry: Uint8Array, bytes: Uint8Array): boolean {
  const skim = new Uint8Array(entry.length);
  const end = comparison.write(bytes, skim, startEntry(bytes.length, skim, 0), skim.length - 1);
  skim[end] = BYTE.closeArray;
  return end === skim.length - 1 && equalsAt(entry, 0, entry.length, skim);
}
