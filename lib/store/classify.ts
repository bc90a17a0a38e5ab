import { readOutline } from '@/lib/json/outline';
import { OutlineSource } from '@/lib/json/outline-source';
import { parseBounded } from '@/lib/json/parse';
import { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own, type RequestId } from '@/lib/json/value';
import type { Frame } from '@/lib/wire/frame';
import { runToEnd } from '@/lib/wire/in-slices';
import type { Kind } from './rows/row';

/** Parsed messages a log keeps at hand, and the characters of all of them. */
export const PARSED_MESSAGES = 32;
export const PARSED_CHARACTERS = 64 * 1024 * 1024;
/** A larger message is not parsed but read where it lies, in slices: from here on parsing can be felt. */
const OUTLINED_BYTES = 128 * 1024;

/** One JSON-RPC message, its parts unchecked but for what `kind` says. */
export interface Message {
  readonly kind: 'request' | 'notification' | 'response' | 'error';
  /** undefined: none, or of a type that no id may have. null is kept: servers send it. */
  readonly id: RequestId | null | undefined;
  /** Of requests and notifications. */
  readonly method: string | undefined;
  readonly name: string | undefined;
  /** Own members only, so anything may be asked of it. Of a large frame they are parsed when they are asked for. */
  readonly body: JsonObject;
}

/** What the bytes of one protocol frame are. */
export interface Classified {
  readonly kind: Kind;
  readonly invalidUtf8: boolean;
  /** The message; of a batch all of them, in order; of junk none. */
  readonly messages: readonly Message[];
  /** Of a large frame: somebody will look at it soon, and parsing it twice can be felt. */
  readonly source?: JsonSource;
}

/** Bytes whose encoding is checked before others get a turn. */
const PORTION = 256 * 1024;

// A byte order mark is shown and is not JSON, so it must survive decoding.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-8 with U+FFFD for what isn't. Never throws. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** The text, and whether it was valid UTF-8. */
export function decode(bytes: Uint8Array): { text: string; invalidUtf8: boolean } {
  try {
    return { text: strict.decode(bytes), invalidUtf8: false };
  } catch {
    return { text: lossy.decode(bytes), invalidUtf8: true };
  }
}

/** Answers undefined instead of throwing, for monsters too. */
export function parseJson(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined;
  }
}

/** Whether a frame is read in slices rather than parsed, which would keep the page from everything else. */
export function isLarge(bytes: Uint8Array): boolean {
  return bytes.length >= OUTLINED_BYTES;
}

/** Says what a whole protocol frame is. Reads it once; never throws. */
export function classify(bytes: Uint8Array): Classified {
  if (isLarge(bytes)) return runToEnd(classifyLarge(bytes));
  const { text, invalidUtf8 } = decode(bytes);
  return classified(parseJson(text), invalidUtf8);
}

/** The same, of a large frame, in short steps: nothing is parsed but what its row and the log's state are made of. */
export function* classifyLarge(bytes: Uint8Array): Generator<unknown, Classified> {
  const invalidUtf8 = !(yield* isUtf8(bytes));
  const outline = yield* readOutline(bytes);
  if (typeof outline === 'string') return classified(undefined, invalidUtf8);
  const source = new OutlineSource(outline);
  return classified(source.value, invalidUtf8, source);
}

/** A whole frame as JSON, read as {@link classify} reads it; undefined for what is none, or a monster. */
export function jsonOf(bytes: Uint8Array): JsonSource | undefined {
  if (!isLarge(bytes)) return JsonSource.parse(decodeLossy(bytes));
  const outline = runToEnd(readOutline(bytes));
  return typeof outline === 'string' ? undefined : new OutlineSource(outline);
}

/** What a frame is of which this is the value. */
function classified(value: unknown, invalidUtf8: boolean, source?: JsonSource): Classified {
  const messages = messagesOf(value);
  if (messages.length === 0) return { kind: 'junk', invalidUtf8, messages };
  return { kind: Array.isArray(value) ? 'batch' : messages[0]!.kind, invalidUtf8, messages, source };
}

function* isUtf8(bytes: Uint8Array): Generator<undefined, boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += PORTION) {
      decoder.decode(bytes.subarray(at, at + PORTION), { stream: true });
      yield;
    }
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** The messages in a protocol frame's value: of a batch all of them, of junk none. */
export function messagesOf(value: unknown): readonly Message[] {
  if (Array.isArray(value)) return value.map(toMessage).filter((message) => message !== undefined);
  const message = toMessage(value);
  return message ? [message] : NONE;
}

const NONE: readonly Message[] = [];

/**
 * A JSON value as a message, or undefined. Lenient, since what a server gets wrong is to be shown, not hidden. But `jsonrpc`, an
 * `id` or a method of MCP's must be there: log lines that happen to be JSON often have a `method` or an `error`.
 */
function toMessage(value: unknown): Message | undefined {
  if (!isObject(value)) return undefined;
  const hasId = Object.hasOwn(value, 'id');
  const method = own(value, 'method');
  const known = typeof method === 'string' && method.startsWith('notifications/');
  if (!hasId && !known && !Object.hasOwn(value, 'jsonrpc')) return undefined;
  const id = toId(own(value, 'id'));
  if (typeof method === 'string') {
    const name = messageName(method, own(value, 'params'));
    return { kind: hasId ? 'request' : 'notification', id, method, name, body: value };
  }
  const kind = answerKind(value);
  return kind && { kind, id, method: undefined, name: undefined, body: value };
}

function answerKind(value: JsonObject): 'response' | 'error' | undefined {
  const error = own(value, 'error');
  // Some servers write both members and leave the other one null.
  if (error !== undefined && !(error === null && Object.hasOwn(value, 'result'))) return 'error';
  return Object.hasOwn(value, 'result') ? 'response' : undefined;
}

function toId(id: unknown): RequestId | null | undefined {
  return typeof id === 'string' || typeof id === 'number' || id === null ? id : undefined;
}

type Naming = (params: JsonObject) => unknown;

/** Methods that say what they are about elsewhere than in `name` or `uri`. */
const NAMINGS: ReadonlyMap<string, Naming> = new Map<string, Naming>([
  ['initialize', (params) => inside(params, 'clientInfo', 'name')],
  ['completion/complete', (params) => inside(params, 'ref', 'name') ?? inside(params, 'ref', 'uri')],
  ['logging/setLevel', (params) => own(params, 'level')],
  ['notifications/message', (params) => own(params, 'level')],
  ['tasks/get', (params) => own(params, 'taskId')],
  ['tasks/result', (params) => own(params, 'taskId')],
  ['tasks/cancel', (params) => own(params, 'taskId')],
  ['notifications/tasks/status', (params) => own(params, 'taskId')],
]);

function inside(params: JsonObject, key: string, inner: string): unknown {
  const value = own(params, key);
  return isObject(value) ? own(value, inner) : undefined;
}

const nameOrUri: Naming = (params) => own(params, 'name') ?? own(params, 'uri');

/** What a request or notification is about: a tool's or prompt's name, a uri, a log level… undefined if it doesn't say. */
function messageName(method: string, params: unknown): string | undefined {
  if (!isObject(params)) return undefined;
  const name = (NAMINGS.get(method) ?? nameOrUri)(params);
  return typeof name === 'string' ? name : undefined;
}

const decoder = new TextDecoder();
const FEW = 4;
const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];

/**
 * What the skims among these frames are. Those that stand behind each other in a batch are decoded and parsed together, each being an item of
 * one array then: one by one, most of the time would go into asking for it.
 */
export function classifySkims(frames: readonly Frame[]): ReadonlyMap<number, Classified> | undefined {
  let known: Map<number, Classified> | undefined;
  for (let from = 0; from < frames.length; ) {
    let to = from;
    while (to < frames.length && frames[to]!.skimOf !== undefined && goesOn(frames, from, to)) to++;
    if (to - from >= FEW) {
      known ??= new Map();
      takeRun(frames.slice(from, to), known);
    }
    from = Math.max(to, from + 1);
  }
  return known;
}

/** Whether a frame's bytes stand right behind those of the one before, in the same buffer. */
function goesOn(frames: readonly Frame[], from: number, to: number): boolean {
  if (to === from) return true;
  const [before, frame] = [frames[to - 1]!.bytes, frames[to]!.bytes];
  return (
    before.buffer === frame.buffer &&
    before.byteOffset + before.length + AFTER + headOf(frames[to]!) === frame.byteOffset
  );
}

/** `]` and the byte between two entries of a batch. */
const AFTER = 2;

/** Characters before the skim: `[`, digits, `,`. */
function headOf({ skimOf = 0 }: Frame): number {
  return String(skimOf).length + 2;
}

function takeRun(run: readonly Frame[], known: Map<number, Classified>): void {
  const items = itemsOf(run);
  if (items?.length !== run.length) return;
  for (let place = 0; place < run.length; place++) {
    const item = items[place];
    if (Array.isArray(item)) known.set(run[place]!.seq, classified(item[1], false));
  }
}

/** The entries of a run as one array; undefined if they are none together. */
function itemsOf(run: readonly Frame[]): readonly unknown[] | undefined {
  const [first, last] = [run[0]!, run.at(-1)!];
  const start = first.bytes.byteOffset - headOf(first);
  const end = last.bytes.byteOffset + last.bytes.length + 1;
  const text = new Uint8Array(end - start + 2);
  text.set(new Uint8Array(first.bytes.buffer, start, end - start), 1);
  text[0] = OPEN;
  // What stands between them; behind the last one, the end.
  for (const { bytes } of run) text[bytes.byteOffset + bytes.length + AFTER - start] = COMMA;
  text[text.length - 1] = CLOSE;
  try {
    return JSON.parse(decoder.decode(text)) as unknown[];
  } catch {
    return undefined;
  }
}

/** Frames that were parsed lately, by index: a bounded number of them, and of characters, but always the newest. */
export class ParsedFrames {
  readonly #frames = new Map<number, JsonSource | undefined>();
  #characters = 0;

  /** The frame at `index`, read only if it isn't here; undefined if it is not JSON. */
  sourceOf(index: number, read: () => JsonSource | undefined): JsonSource | undefined {
    if (this.#frames.has(index)) return this.#frames.get(index);
    const source = read();
    this.addParsed(index, source);
    return source;
  }

  /** Takes the frame at `index`, which somebody else has parsed. */
  addParsed(index: number, source: JsonSource | undefined): void {
    this.#frames.set(index, source);
    this.#characters += source?.length ?? 0;
    for (const [oldest, dropped] of this.#frames) {
      const fits = this.#frames.size <= PARSED_MESSAGES && this.#characters <= PARSED_CHARACTERS;
      if (fits || oldest === index) break;
      this.#frames.delete(oldest);
      this.#characters -= dropped?.length ?? 0;
    }
  }
}
