import { parseBounded } from '@/lib/json/parse';
import { FLAG, type Frame } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { toBase64 } from './base64';
import { BLOB_LIMITS, BlobWindow, findLargeStrings, mostRestoredBytes, removeStrings } from './blobs';
import { type ContentDigest, contentDigest } from './digests';
import type { BlobPlace, RecordedFrame, RecordingEnd, RecordingHeader } from './format';

const RECORDED_JSON_CHARS = 4 * 1024 * 1024;

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What a line tells of a frame; its number is the line's business. */
export type FrameToRecord = Omit<Frame, 'seq'>;

/** The first or the last line, line feed included. */
export function encodeHeaderOrEnd(line: RecordingHeader | RecordingEnd): Uint8Array {
  return encoder.encode(`${JSON.stringify(line)}\n`);
}

/**
 * A frame as a line, line feed included, from which its exact bytes can be had again: JSON is spliced in as it stands (`m`,
 * the last key), other text is a JSON string (`text`), what is no UTF-8 is base64 (`b64`).
 */
export function encodeFrame(n: number, frame: FrameToRecord): Uint8Array {
  const [key, content] = contentOf(frame.bytes, frame.flags);
  return joined(startOf(n, frame), key, content);
}

/** A frame whose blobs were cut out of its JSON: `rest` is what is left of it. */
function encodeFrameWithBlobs(
  n: number,
  frame: FrameToRecord,
  blobs: readonly BlobPlace[],
  rest: Uint8Array,
): Uint8Array {
  return joined({ ...startOf(n, frame), blobs }, 'cut', rest);
}

function startOf(n: number, { time, channel, direction, flags }: FrameToRecord): RecordedFrame {
  return { n, t: time, c: channel, d: direction === 'to-server' ? '>' : '<', ...(flags !== 0 && { f: flags }) };
}

function joined(about: RecordedFrame, key: string, content: Uint8Array): Uint8Array {
  const start = encoder.encode(`${JSON.stringify(about).slice(0, -1)},"${key}":`);
  const line = new Uint8Array(start.length + content.length + 2);
  line.set(start);
  line.set(content, start.length);
  line.set(LINE_END, start.length + content.length);
  return line;
}

const LINE_END = encoder.encode('}\n');

function contentOf(bytes: Uint8Array, flags: number): readonly ['m' | 'text' | 'b64', Uint8Array] {
  const text = bytes.length > BLOB_LIMITS.textBytes ? undefined : utf8Text(bytes);
  if (text === undefined) return inBase64(bytes);
  // A part of an over-long line is no message, even if it looks like one.
  if ((flags & FLAG.continued) === 0 && canStandInLine(text)) return ['m', bytes];
  const escaped = encoder.encode(JSON.stringify(text));
  return escaped.length + LONGEST_HEAD > LIMITS.recordedPlainBytes ? inBase64(bytes) : ['text', escaped];
}

/** Characters of a line besides its content, at most. */
const LONGEST_HEAD = 200;

function inBase64(bytes: Uint8Array): readonly ['b64', Uint8Array] {
  return ['b64', encoder.encode(`"${toBase64(bytes)}"`)];
}

/** The text that these bytes are; undefined if they are no UTF-8. */
function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** An object or array that can stand in a line and be cut out of it again to the byte. */
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

const NONE: readonly string[] = [];

/** The frames of one recording as lines, in their order: long strings of messages are lines of their own, the same string once. */
export class FrameEncoder {
  readonly #digestOf: ContentDigest;
  /** Digests of what was written. */
  readonly #window = new BlobWindow<string>();
  #blobs = 0;
  #named: readonly string[] = NONE;
  /** Bytes of all lines, and of the strings that readers put back. */
  #written = 0;
  #putBack = 0;

  constructor(digestOf: ContentDigest = contentDigest) {
    this.#digestOf = digestOf;
  }

  /** The lines of a frame, line feeds included: its blobs that are not yet there, and then it. */
  encodeLines(n: number, frame: FrameToRecord): readonly Uint8Array[] {
    this.#named = NONE;
    const lines = this.#cut(n, frame) ?? [encodeFrame(n, frame)];
    for (const { length } of lines) this.#written += length;
    return lines;
  }

  /** Names of the blobs that the newest frame refers to. */
  get blobNames(): readonly string[] {
    return this.#named;
  }

  /** undefined for a frame that has to stay whole. */
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
    const putBack = this.#putBack + bytes.length - rest.length;
    const isTooOften = putBack > mostRestoredBytes(this.#written + rest.length);
    const fresh = isTooOften ? new Set(contents.keys()) : this.#fresh(contents);
    for (const digest of fresh.keys()) {
      // What is in the window was looked at before.
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
    this.#putBack = putBack;
    this.#named = [...new Set(named.map(([, name]) => name))];
    return [...blobs, encodeFrameWithBlobs(n, frame, named, rest)];
  }

  /** Digests of what has to be written, so that all of it is in the window at once. */
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

/** Whether these bytes, between quotes, are a JSON string. */
function isInString(content: Uint8Array): boolean {
  const text = utf8Text(content);
  try {
    return text !== undefined && typeof JSON.parse(`"${text}"`) === 'string';
  } catch {
    return false;
  }
}

function encodeBlob(name: string, content: Uint8Array): Uint8Array {
  const start = encoder.encode(`{"k":"blob","b":"${name}","s":"`);
  const line = new Uint8Array(start.length + content.length + BLOB_END.length);
  line.set(start);
  line.set(content, start.length);
  line.set(BLOB_END, start.length + content.length);
  return line;
}

const BLOB_END = encoder.encode('"}\n');
