import { parseBounded } from '@/lib/json/parse';
import { isPlainJson } from '@/lib/json/plain-json';
import { messageLength } from '@/lib/wire/cut-message';
import { CHANNELS, type CutMessage, FLAG, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { toBase64 } from './base64';
import { BLOB_LIMITS, BlobWindow, cutOf, mostRestoredBytes } from './blobs';
import { type ContentDigest, contentDigest } from './digests';
import type { BlobPlace, RecordedFrame, RecordingEnd, RecordingHeader } from './format';

/**
 * Longest JSON that is spliced into a line, in characters. Longer JSON becomes a string, because parsing it to check it
 * takes too long.
 */
const RECORDED_JSON_CHARS = 4 * 1024 * 1024;

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A frame without its number, which the line adds. */
export type FrameToRecord = Omit<Frame, 'seq'>;

/** Encodes the header or the end line, with its line feed. */
export function encodeHeaderOrEnd(line: RecordingHeader | RecordingEnd): Uint8Array {
  return encoder.encode(`${JSON.stringify(line)}\n`);
}

const NO_NAMES: readonly string[] = [];

/**
 * Encodes the frames of one recording, in order. Long strings of messages get lines of their own, each distinct string
 * once.
 */
export class FrameEncoder {
  readonly #digestOf: ContentDigest;
  readonly #digests = new WeakMap<Uint8Array, string>();
  /** Digests of the newest blobs. */
  readonly #window = new BlobWindow<string>();
  #blobs = 0;
  #named: readonly string[] = NO_NAMES;
  /** Bytes of all lines, and bytes that readers restore from blobs. */
  #written = 0;
  #restoredBytes = 0;

  constructor(digestOf: ContentDigest = contentDigest) {
    this.#digestOf = digestOf;
  }

  /** Returns the lines of a frame, with line feeds: its new blobs, then the frame. */
  encodeLines(n: number, frame: FrameToRecord): readonly Uint8Array[] {
    this.#named = NO_NAMES;
    const lines = this.#cut(n, frame) ?? [encodeFrame(n, frame)];
    for (const { length } of lines) this.#written += length;
    return lines;
  }

  /** Adds the lines of a frame to a buffer. Returns them too, unless it is short. */
  addLines(n: number, frame: FrameToRecord, buffer: LineBuffer): readonly Uint8Array[] | undefined {
    if (isPlain(frame)) {
      this.addPlain(n, frame, buffer);
      return undefined;
    }
    const lines = this.encodeLines(n, frame);
    buffer.add(lines);
    return lines;
  }

  /** Adds the line of a frame that {@link isPlain}. */
  addPlain(n: number, frame: FrameToRecord, buffer: LineBuffer): void {
    this.#named = NO_NAMES;
    this.#written += buffer.addPlain(n, frame);
  }

  /**
   * Returns the line of a very long frame in pieces, so that it needs little memory and time at once; undefined for
   * other frames. Take all pieces before the next frame.
   */
  encodeInPieces(n: number, frame: FrameToRecord): Generator<Uint8Array> | undefined {
    if (frame.bytes.length <= BLOB_LIMITS.textBytes) return undefined;
    this.#named = NO_NAMES;
    return this.#pieces(n, frame);
  }

  *#pieces(n: number, frame: FrameToRecord): Generator<Uint8Array> {
    for (const piece of piecesOf(n, frame)) {
      this.#written += piece.length;
      yield piece;
    }
  }

  /** Names of the blobs that the newest frame refers to. */
  get blobNames(): readonly string[] {
    return this.#named;
  }

  /** Returns the lines of a frame with its long strings cut out; undefined if it has to stay whole. */
  #cut(n: number, frame: FrameToRecord): readonly Uint8Array[] | undefined {
    const { channel, flags } = frame;
    const length = messageLength(frame);
    if (length < BLOB_LIMITS.minBytes || length > BLOB_LIMITS.textBytes) return undefined;
    if (channel !== 'protocol' || (flags & FLAG.continued) !== 0) return undefined;
    const { text: rest, strings } = cutLikeOurs(frame) ?? cutOf(frame.bytes);
    if (strings.length === 0 || !canStandInLine(utf8Text(rest))) return undefined;
    const digests = strings.map(({ bytes }) => this.#digest(bytes));
    const contents = new Map(digests.map((digest, index) => [digest, strings[index]!.bytes]));
    const restoredBytes = this.#restoredBytes + length - rest.length;
    const isTooOften = restoredBytes > mostRestoredBytes(this.#written + rest.length);
    const fresh = isTooOften ? new Set(contents.keys()) : this.#fresh(contents);
    for (const digest of fresh.keys()) {
      // Blobs in the window have passed this check.
      if (this.#window.nameIfKept(digest, 0, 0) === undefined && !isInString(contents.get(digest)!)) return undefined;
    }
    const blobs = [...fresh].map((digest) => {
      const name = `b${++this.#blobs}`;
      const content = contents.get(digest)!;
      this.#window.add(name, content.length, digest);
      return encodeBlob(name, content);
    });
    const named = strings.map(({ at }, index): BlobPlace => [at, this.#window.nameIfKept(digests[index]!, 0, 0)!]);
    this.#restoredBytes = restoredBytes;
    this.#named = [...new Set(named.map(([, name]) => name))];
    return [...blobs, encodeFrameWithBlobs(n, frame, named, rest)];
  }

  /** Returns the digest of a string. Messages that share a string have the same array. */
  #digest(bytes: Uint8Array): string {
    const known = this.#digests.get(bytes);
    if (known !== undefined) return known;
    const digest = this.#digestOf(bytes);
    this.#digests.set(bytes, digest);
    return digest;
  }

  /** Returns the digests of the blobs to write, so that all blobs of the frame are in the window afterwards. */
  #fresh(contents: ReadonlyMap<string, Uint8Array>): ReadonlySet<string> {
    const fresh = new Set<string>();
    let bytes = 0;
    for (let before = -1; fresh.size > before; ) {
      before = fresh.size;
      for (const [digest, { length }] of contents) {
        if (fresh.has(digest) || this.#window.nameIfKept(digest, fresh.size, bytes) !== undefined) continue;
        fresh.add(digest);
        bytes += length;
      }
    }
    return fresh;
  }
}

/** Returns the message of a frame if it was cut as this version cuts messages: all long strings, and no others. */
function cutLikeOurs({ cut }: FrameToRecord): CutMessage | undefined {
  if (!cut || cut.text.length >= BLOB_LIMITS.minBytes || cut.strings.length > BLOB_LIMITS.perFrame) return undefined;
  return cut.strings.every(({ bytes }) => bytes.length >= BLOB_LIMITS.minBytes) ? cut : undefined;
}

/**
 * Encodes a frame as a line, with its line feed, from which its exact bytes can be restored. JSON is spliced in as it
 * stands (`m`, the last key), other text becomes a JSON string (`text`), and other bytes become base64 (`b64`).
 */
export function encodeFrame(n: number, frame: FrameToRecord): Uint8Array {
  const { bytes, flags } = frame;
  if (isPlain(frame)) return plainLine(n, frame);
  const [key, content] = contentOf(bytes, flags);
  return frameLine(startOf(n, frame), key, content);
}

/** Byte-by-byte check up to this size; above it JSON.parse is faster. */
export const PLAIN_BYTES = 4 * 1024;

/** Longest line of a short frame that is plain JSON, without its content. */
export const PLAIN_HEAD_BYTES = 96;

/** The texts of such a line, for each channel and direction. */
export const PLAIN_HEADS: ReadonlyMap<Frame['channel'], Readonly<Record<Frame['direction'], Uint8Array>>> = new Map(
  CHANNELS.map((channel) => {
    const towards = (sign: string) => encoder.encode(`,"c":${JSON.stringify(channel)},"d":"${sign}","m":`);
    return [channel, { 'to-server': towards('>'), 'to-client': towards('<') }];
  }),
);
export const NUMBER_START = encoder.encode('{"n":');
export const PLAIN_TIME = encoder.encode(',"t":');

/** Returns true for a frame that most messages are like: short, whole, and JSON that can stand in a line as it is. */
export function isPlain({ bytes, flags, channel }: FrameToRecord): boolean {
  return flags === 0 && bytes.length <= PLAIN_BYTES && PLAIN_HEADS.has(channel) && isPlainJson(bytes);
}

/** Writes the line of a plain frame at `at`. Returns its end. */
function writePlainLine(to: Uint8Array, at: number, n: number, frame: FrameToRecord): number {
  const { bytes, time, channel, direction } = frame;
  let end = put(to, at, NUMBER_START);
  end = putDigits(to, end, n);
  end = put(to, end, PLAIN_TIME);
  end = putDigits(to, end, time);
  end = put(to, end, PLAIN_HEADS.get(channel)![direction]);
  to.set(bytes, end);
  return put(to, end + bytes.length, FRAME_END);
}

/** Size of the buffers that single plain lines are written to, many in each. */
const ARENA_BYTES = 64 * 1024;
let arena = new Uint8Array(ARENA_BYTES);
let arenaEnd = 0;

function plainLine(n: number, frame: FrameToRecord): Uint8Array {
  if (arenaEnd + frame.bytes.length + PLAIN_HEAD_BYTES > ARENA_BYTES) {
    arena = new Uint8Array(ARENA_BYTES);
    arenaEnd = 0;
  }
  const start = arenaEnd;
  arenaEnd = writePlainLine(arena, start, n, frame);
  return arena.subarray(start, arenaEnd);
}

/** Copies a few bytes, for which `set` takes longer. Returns the end. */
function put(to: Uint8Array, at: number, bytes: Uint8Array): number {
  for (let index = 0; index < bytes.length; index++) to[at + index] = bytes[index]!;
  return at + bytes.length;
}

function putDigits(to: Uint8Array, at: number, value: number): number {
  const digits = String(value);
  for (let index = 0; index < digits.length; index++) to[at + index] = digits.charCodeAt(index);
  return at + digits.length;
}

/** Bytes of the buffer of {@link LineBuffer}. */
const LINE_BUFFER_BYTES = 256 * 1024;

/** The buffer of no {@link LineBuffer}: a tap has many recordings, and few have lines that wait. */
let spare: Uint8Array | undefined;
const NO_BYTES = new Uint8Array(0);

/** Gathers lines to write them in one go. Lines of plain frames are made in place, because a flood has a million. */
export class LineBuffer {
  #bytes: Uint8Array = NO_BYTES;
  /** The span of lines that are not in `#pieces`. */
  #start = 0;
  #end = 0;
  #pieces: Uint8Array[] = [];
  #piecesBytes = 0;

  /** Bytes of all lines. */
  get length(): number {
    return this.#piecesBytes + this.#end - this.#start;
  }

  /** Adds the line of a frame that {@link isPlain}. Returns its length. */
  addPlain(n: number, frame: FrameToRecord): number {
    if (this.#end + frame.bytes.length + PLAIN_HEAD_BYTES > this.#bytes.length) {
      this.#keepPiece();
      this.#bytes = spare ?? new Uint8Array(LINE_BUFFER_BYTES);
      spare = undefined;
      this.#start = this.#end = 0;
    }
    const begin = this.#end;
    this.#end = writePlainLine(this.#bytes, begin, n, frame);
    return this.#end - begin;
  }

  add(lines: readonly Uint8Array[]): void {
    this.#keepPiece();
    for (const line of lines) {
      this.#pieces.push(line);
      this.#piecesBytes += line.length;
    }
  }

  /** Takes all lines. They are valid until more are added to any buffer. */
  take(): readonly Uint8Array[] {
    this.#keepPiece();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#piecesBytes = 0;
    this.#start = this.#end = 0;
    if (this.#bytes !== NO_BYTES) spare = this.#bytes;
    this.#bytes = NO_BYTES;
    return pieces;
  }

  #keepPiece(): void {
    if (this.#end === this.#start) return;
    this.#pieces.push(this.#bytes.subarray(this.#start, this.#end));
    this.#piecesBytes += this.#end - this.#start;
    this.#start = this.#end;
  }
}

/** Encodes a frame whose blobs were cut out of its JSON. `rest` is what remains. */
function encodeFrameWithBlobs(
  n: number,
  frame: FrameToRecord,
  blobs: readonly BlobPlace[],
  rest: Uint8Array,
): Uint8Array {
  return frameLine({ ...startOf(n, frame), blobs }, 'cut', rest);
}

/** Bytes of a long frame per piece: a multiple of 3, so that the base64 of all pieces is that of the frame. */
const PIECE_BYTES = 192 * 1024;

/** Yields the line that {@link encodeFrame} returns for a frame in base64. */
function* piecesOf(n: number, frame: FrameToRecord): Generator<Uint8Array> {
  const { bytes } = frame;
  yield encoder.encode(`${JSON.stringify(startOf(n, frame)).slice(0, -1)},"b64":"`);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    yield encoder.encode(toBase64(bytes.subarray(at, at + PIECE_BYTES)));
  yield BLOB_END;
}

function startOf(n: number, { time, channel, direction, flags }: FrameToRecord): RecordedFrame {
  return { n, t: time, c: channel, d: direction === 'to-server' ? '>' : '<', ...(flags !== 0 && { f: flags }) };
}

function frameLine(about: RecordedFrame, key: string, content: Uint8Array): Uint8Array {
  return line(`${JSON.stringify(about).slice(0, -1)},"${key}":`, content, FRAME_END);
}

const FRAME_END = encoder.encode('}\n');

function encodeBlob(name: string, content: Uint8Array): Uint8Array {
  return line(`{"k":"blob","b":"${name}","s":"`, content, BLOB_END);
}

const BLOB_END = encoder.encode('"}\n');

/** Returns the bytes of a line without encoding its content again. */
function line(head: string, content: Uint8Array, end: Uint8Array): Uint8Array {
  const start = encoder.encode(head);
  const bytes = new Uint8Array(start.length + content.length + end.length);
  bytes.set(start);
  bytes.set(content, start.length);
  bytes.set(end, start.length + content.length);
  return bytes;
}

function contentOf(bytes: Uint8Array, flags: number): readonly ['m' | 'text' | 'b64', Uint8Array] {
  const text = bytes.length > BLOB_LIMITS.textBytes ? undefined : utf8Text(bytes);
  if (text === undefined) return inBase64(bytes);
  // A part of an over-long line is not a message, even if it looks like one.
  if ((flags & FLAG.continued) === 0 && canStandInLine(text)) return ['m', bytes];
  const escaped = encoder.encode(JSON.stringify(text));
  return escaped.length + LONGEST_HEAD > LIMITS.recordedPlainBytes ? inBase64(bytes) : ['text', escaped];
}

/** Longest head of a frame line without blobs, in characters: everything before its content. */
export const LONGEST_HEAD = 200;

function inBase64(bytes: Uint8Array): readonly ['b64', Uint8Array] {
  return ['b64', encoder.encode(`"${toBase64(bytes)}"`)];
}

/** Returns the text of UTF-8 bytes; undefined for any other bytes. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns true for an object or array that can stand in a line and be cut out again, byte for byte. */
function canStandInLine(text: string | undefined): boolean {
  if (text === undefined || text.length > RECORDED_JSON_CHARS || !/^[{[].*[}\]]$/.test(text) || /[\r\n]/.test(text))
    return false;
  try {
    parseBounded(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns true if these bytes, between quotes, are a JSON string. */
function isInString(content: Uint8Array): boolean {
  const text = utf8Text(content);
  try {
    return text !== undefined && typeof JSON.parse(`"${text}"`) === 'string';
  } catch {
    return false;
  }
}
