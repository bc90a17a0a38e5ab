import { parseBounded } from '@/lib/json/parse';
import { isPlainJson } from '@/lib/json/plain-json';
import { CHANNELS, FLAG, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { toBase64 } from './base64';
import { BLOB_LIMITS, BlobWindow, findLargeStrings, mostRestoredBytes, removeStrings } from './blobs';
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
    const { bytes, channel, flags } = frame;
    if (bytes.length < BLOB_LIMITS.minBytes || bytes.length > BLOB_LIMITS.textBytes) return undefined;
    if (channel !== 'protocol' || (flags & FLAG.continued) !== 0) return undefined;
    const places = findLargeStrings(bytes);
    if (places.length === 0) return undefined;
    const rest = removeStrings(bytes, places);
    if (!canStandInLine(utf8Text(rest))) return undefined;
    const strings = places.map(({ from, to }) => bytes.subarray(from, to));
    const digests = strings.map(this.#digestOf);
    const contents = new Map(digests.map((digest, index) => [digest, strings[index]!]));
    const restoredBytes = this.#restoredBytes + bytes.length - rest.length;
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
    let removed = 0;
    const named = places.map(({ from, to }, index): BlobPlace => {
      const place: BlobPlace = [from - removed, this.#window.nameIfKept(digests[index]!, 0, 0)!];
      removed += to - from;
      return place;
    });
    this.#restoredBytes = restoredBytes;
    this.#named = [...new Set(named.map(([, name]) => name))];
    return [...blobs, encodeFrameWithBlobs(n, frame, named, rest)];
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

/**
 * Encodes a frame as a line, with its line feed, from which its exact bytes can be restored. JSON is spliced in as it
 * stands (`m`, the last key), other text becomes a JSON string (`text`), and other bytes become base64 (`b64`).
 */
export function encodeFrame(n: number, frame: FrameToRecord): Uint8Array {
  const { bytes, flags, time, channel, direction } = frame;
  const quoted = QUOTED_CHANNELS.get(channel);
  if (quoted && flags === 0 && bytes.length <= PLAIN_BYTES && isPlainJson(bytes)) {
    return asciiLine(`{"n":${n},"t":${time},"c":${quoted},"d":"${direction === 'to-server' ? '>' : '<'}","m":`, bytes);
  }
  const [key, content] = contentOf(bytes, flags);
  return frameLine(startOf(n, frame), key, content);
}

/** Most bytes that are checked one by one. Decoding and parsing is faster for longer texts. */
const PLAIN_BYTES = 4 * 1024;

const QUOTED_CHANNELS: ReadonlyMap<string, string> = new Map(
  CHANNELS.map((channel) => [channel, JSON.stringify(channel)]),
);

/** Size of the buffers that short lines are written to, many in each. */
const ARENA_BYTES = 64 * 1024;
let arena = new Uint8Array(ARENA_BYTES);
let arenaEnd = 0;

/** Returns the line of a short frame whose head is ASCII. In a flood, it is made a million times. */
function asciiLine(head: string, content: Uint8Array): Uint8Array {
  const length = head.length + content.length + FRAME_END.length;
  if (arenaEnd + length > ARENA_BYTES) {
    arena = new Uint8Array(ARENA_BYTES);
    arenaEnd = 0;
  }
  const line = arena.subarray(arenaEnd, arenaEnd + length);
  arenaEnd += length;
  for (let at = 0; at < head.length; at++) line[at] = head.charCodeAt(at);
  line.set(content, head.length);
  line.set(FRAME_END, head.length + content.length);
  return line;
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
