import { readOutline } from '@/lib/json/outline';
import { OutlineSource } from '@/lib/json/outline-source';
import { parseBounded, withoutBom } from '@/lib/json/parse';
import { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { cutText, cutValue } from '@/lib/wire/cut-message';
import type { Frame } from '@/lib/wire/frame';
import { runToEnd } from '@/lib/wire/in-slices';
import type { RequestId } from '@/lib/wire/message';
import { inside, messageName } from '@/lib/wire/message-name';
import { META_KEY } from '@/lib/wire/protocol-names';
import type { RowKind } from './rows/row';
import type { TelemetryUnit } from './telemetry/unit';

/** A JSON-RPC message. Only the parts that determine `kind` are checked. */
export interface Message {
  readonly kind: 'request' | 'notification' | 'response' | 'error';
  /** undefined if missing or of an invalid type. null is kept, because servers send it. */
  readonly id: RequestId | null | undefined;
  /** Set for requests and notifications. */
  readonly method: string | undefined;
  /** Its subject. A response has one only if the server introduces itself. */
  readonly name: string | undefined;
  /** Safe to access: own members only. For large frames, members are parsed on access. */
  readonly body: JsonObject;
}

/** The classification of one frame. */
export interface Classified {
  readonly kind: RowKind;
  readonly invalidUtf8: boolean;
  /** One message, all messages of a batch in order, or none for junk. */
  readonly messages: readonly Message[];
  /** The parsed frame, for large frames only. Kept so that a frame that is opened soon after is not parsed twice. */
  readonly source?: JsonSource;
  /** Set for a unit of telemetry. */
  readonly unit?: TelemetryUnit;
}

// A byte order mark must be visible, so decoding keeps it.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes UTF-8 with U+FFFD for invalid bytes. Never throws. */
export function decodeLossy(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/** Decodes bytes and tells whether they were valid UTF-8. */
export function decode(bytes: Uint8Array): { text: string; invalidUtf8: boolean } {
  try {
    return { text: strict.decode(bytes), invalidUtf8: false };
  } catch {
    return { text: lossy.decode(bytes), invalidUtf8: true };
  }
}

/** Parses JSON. Returns undefined if it is invalid, too deep or has too many values. */
export function parseJson(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return undefined;
  }
}

/** Parses a frame like {@link parseJson}, without a byte order mark. A rule reports that mark. */
export function parseMessageJson(text: string): unknown {
  return parseJson(withoutBom(text));
}

/** A protocol frame with its value; undefined if it is not JSON. */
interface ReadFrame {
  readonly value: unknown;
  readonly invalidUtf8: boolean;
  /** Decodes the whole frame. */
  text(): string;
}

/** Reads a protocol frame. Long strings that are cut out are not read again. */
export function readFrame({ bytes, cut }: Pick<Frame, 'bytes' | 'cut'>): ReadFrame {
  const value = cut && cutValue(cut);
  if (cut && value !== undefined) return { value, invalidUtf8: false, text: () => cutText(cut) };
  const { text, invalidUtf8 } = decode(bytes);
  return { value: parseMessageJson(text), invalidUtf8, text: () => text };
}

/** Frames of this many bytes and more are read in slices, because parsing them would delay the page noticeably. */
const OUTLINED_BYTES = 128 * 1024;

/** True for frames that are read in slices, because parsing them would block the page. */
export function isLarge(bytes: Uint8Array): boolean {
  return bytes.length >= OUTLINED_BYTES;
}

/** Classifies a protocol frame. Long strings that are cut out are not read. Never throws. */
export function classifyFrame(frame: Pick<Frame, 'bytes' | 'cut'>): Classified {
  const value = frame.cut && cutValue(frame.cut);
  return value === undefined ? classify(frame.bytes) : classified(value, false);
}

/** Classifies a whole protocol frame. Reads it once; never throws. */
export function classify(bytes: Uint8Array): Classified {
  if (isLarge(bytes)) return runToEnd(classifyLarge(bytes));
  const { text, invalidUtf8 } = decode(bytes);
  return classified(parseMessageJson(text), invalidUtf8);
}

/** Classifies a large frame in short steps. Parses only what its row and the log's state need. */
export function* classifyLarge(bytes: Uint8Array): Generator<unknown, Classified> {
  const invalidUtf8 = !(yield* isUtf8(bytes));
  const outline = yield* readOutline(bytes);
  if (typeof outline === 'string') return classified(undefined, invalidUtf8);
  const source = new OutlineSource(outline);
  return classified(source.value, invalidUtf8, source);
}

/** Reads a whole frame as JSON, as {@link classify} does. Returns undefined if it is invalid or over the limits. */
export function jsonOf(bytes: Uint8Array): JsonSource | undefined {
  if (!isLarge(bytes)) return JsonSource.parse(withoutBom(decodeLossy(bytes)));
  const outline = runToEnd(readOutline(bytes));
  return typeof outline === 'string' ? undefined : new OutlineSource(outline);
}

/** Classifies a frame by its parsed value. */
function classified(value: unknown, invalidUtf8: boolean, source?: JsonSource): Classified {
  const messages = messagesOf(value);
  if (messages.length === 0) return { kind: 'junk', invalidUtf8, messages };
  return { kind: Array.isArray(value) ? 'batch' : messages[0]!.kind, invalidUtf8, messages, source };
}

/** Returns true for valid UTF-8. Makes no string of the whole, which may be large. */
export function isValidUtf8(bytes: Uint8Array): boolean {
  return runToEnd(isUtf8(bytes));
}

/** Bytes checked per step, after which other work may run. */
const CHECKED_BYTES = 256 * 1024;

function* isUtf8(bytes: Uint8Array): Generator<undefined, boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += CHECKED_BYTES) {
      decoder.decode(bytes.subarray(at, at + CHECKED_BYTES), { stream: true });
      yield;
    }
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}

/** Returns the messages in a frame's value: all of a batch, none of junk. */
export function messagesOf(value: unknown): readonly Message[] {
  if (Array.isArray(value)) return value.map(toMessage).filter((message) => message !== undefined);
  const message = toMessage(value);
  return message ? [message] : NONE;
}

const NONE: readonly Message[] = [];

/**
 * Reads a JSON value as a message, or returns undefined. Lenient, so that a server's mistakes are shown. But it needs
 * `jsonrpc`, an `id` or an MCP notification method, because JSON log lines often have a `method` or an `error`.
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
  return kind && { kind, id, method: undefined, name: introducedName(value), body: value };
}

function answerKind(value: JsonObject): 'response' | 'error' | undefined {
  const error = own(value, 'error');
  // Some servers write both members and set the unused one to null.
  if (error !== undefined && !(error === null && Object.hasOwn(value, 'result'))) return 'error';
  return Object.hasOwn(value, 'result') ? 'response' : undefined;
}

function toId(id: unknown): RequestId | null | undefined {
  return typeof id === 'string' || typeof id === 'number' || id === null ? id : undefined;
}

/** Returns the name with which a server introduces itself in a result: a member, or in `_meta` (2026-07-28). */
function introducedName(answer: JsonObject): string | undefined {
  const result = own(answer, 'result');
  if (!isObject(result)) return undefined;
  const meta = own(result, '_meta');
  const name = inside(result, 'serverInfo', 'name') ?? (isObject(meta) && inside(meta, META_KEY.serverInfo, 'name'));
  return typeof name === 'string' ? name : undefined;
}

const decoder = new TextDecoder();
/** The smallest run of skims that is worth parsing together. */
const MIN_RUN = 4;
const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];

/**
 * Classifies the skims among these frames. A run of skims in one buffer is parsed as one JSON array, because the
 * overhead of single parses would dominate.
 */
export function classifySkims(frames: readonly Frame[]): ReadonlyMap<number, Classified> | undefined {
  let known: Map<number, Classified> | undefined;
  for (let from = 0; from < frames.length; ) {
    let to = from;
    while (to < frames.length && frames[to]!.skimOf !== undefined && isAdjacent(frames, from, to)) to++;
    if (to - from >= MIN_RUN) {
      known ??= new Map();
      classifyRun(frames.slice(from, to), known);
    }
    from = Math.max(to, from + 1);
  }
  return known;
}

/** True if a frame's bytes directly follow the previous frame's in the same buffer. */
function isAdjacent(frames: readonly Frame[], from: number, to: number): boolean {
  if (to === from) return true;
  const [before, frame] = [frames[to - 1]!.bytes, frames[to]!.bytes];
  return (
    before.buffer === frame.buffer &&
    before.byteOffset + before.length + SEPARATOR_BYTES + prefixLength(frames[to]!) === frame.byteOffset
  );
}

/** Bytes between two entries of a batch: `]` and a separator. */
const SEPARATOR_BYTES = 2;

/** Returns the length of the prefix before a skim: `[`, digits and `,`. */
function prefixLength({ skimOf = 0 }: Frame): number {
  return String(skimOf).length + 2;
}

function classifyRun(run: readonly Frame[], known: Map<number, Classified>): void {
  const items = itemsOf(run);
  if (items?.length !== run.length) return;
  for (let place = 0; place < run.length; place++) {
    const item = items[place];
    if (Array.isArray(item)) known.set(run[place]!.seq, classified(item[1], false));
  }
}

/** Parses the entries of a run as one array; undefined if that is not valid JSON. */
function itemsOf(run: readonly Frame[]): readonly unknown[] | undefined {
  const [first, last] = [run[0]!, run.at(-1)!];
  const start = first.bytes.byteOffset - prefixLength(first);
  const end = last.bytes.byteOffset + last.bytes.length + 1;
  const text = new Uint8Array(end - start + 2);
  text.set(new Uint8Array(first.bytes.buffer, start, end - start), 1);
  text[0] = OPEN;
  // Separate the entries with commas and close the array after the last one.
  for (const { bytes } of run) text[bytes.byteOffset + bytes.length + SEPARATOR_BYTES - start] = COMMA;
  text[text.length - 1] = CLOSE;
  try {
    return JSON.parse(decoder.decode(text)) as unknown[];
  } catch {
    return undefined;
  }
}

/** Parsed frames cached per log, and their total characters. */
export const PARSED_MESSAGES = 32;
export const PARSED_CHARACTERS = 64 * 1024 * 1024;

/** A cache of parsed frames by index, bounded by count and characters. It always holds the newest one. */
export class ParsedFrames {
  readonly #frames = new Map<number, JsonSource | undefined>();
  #characters = 0;

  /** Returns the frame at `index`, reading it if it is not cached; undefined if it is not JSON. */
  sourceOf(index: number, read: () => JsonSource | undefined): JsonSource | undefined {
    if (this.#frames.has(index)) return this.#frames.get(index);
    const source = read();
    this.addParsed(index, source);
    return source;
  }

  /** Adds a frame that was parsed elsewhere. */
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
