import { FLAG } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { BlobWindow } from './blob-window';
import { type ContentDigest, contentDigest } from './content-digest';
import { encodeCut, encodeFrame, type FrameToRecord, isSplicable, textOf } from './encode-line';
import type { BlobPlace } from './format';
import { largeStrings, withoutStrings } from './large-strings';
import { mostPutBack } from './put-back';

const encoder = new TextEncoder();

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
  lines(n: number, frame: FrameToRecord): readonly Uint8Array[] {
    this.#named = NONE;
    const lines = this.#cut(n, frame) ?? [encodeFrame(n, frame)];
    for (const { length } of lines) this.#written += length;
    return lines;
  }

  /** Names of the blobs that the newest frame refers to. */
  get named(): readonly string[] {
    return this.#named;
  }

  /** undefined for a frame that has to stay whole. */
  #cut(n: number, frame: FrameToRecord): readonly Uint8Array[] | undefined {
    const { bytes, channel, flags } = frame;
    if (bytes.length < LIMITS.blobBytes || bytes.length > LIMITS.recordedTextBytes) return undefined;
    if (channel !== 'protocol' || (flags & FLAG.continued) !== 0) return undefined;
    const places = largeStrings(bytes);
    if (places.length === 0) return undefined;
    const rest = withoutStrings(bytes, places);
    if (!isSplicable(textOf(rest))) return undefined;
    const strings = places.map(({ from, to }) => bytes.subarray(from, to));
    const digests = strings.map(this.#digestOf);
    const contents = new Map(digests.map((digest, index) => [digest, strings[index]!]));
    const putBack = this.#putBack + bytes.length - rest.length;
    const isTooOften = putBack > mostPutBack(this.#written + rest.length);
    const fresh = isTooOften ? new Set(contents.keys()) : this.#fresh(contents);
    for (const digest of fresh.keys()) {
      // What is in the window was looked at before.
      if (this.#window.lasting(digest, 0, 0) === undefined && !isInString(contents.get(digest)!)) return undefined;
    }
    const blobs = [...fresh].map((digest) => {
      const name = `b${++this.#blobs}`;
      const content = contents.get(digest)!;
      this.#window.add(name, content.length, digest);
      return encodeBlob(name, content);
    });
    let removed = 0;
    const named = places.map(({ from, to }, index): BlobPlace => {
      const place: BlobPlace = [from - removed, this.#window.lasting(digests[index]!, 0, 0)!];
      removed += to - from;
      return place;
    });
    this.#putBack = putBack;
    this.#named = [...new Set(named.map(([, name]) => name))];
    return [...blobs, encodeCut(n, frame, named, rest)];
  }

  /** Digests of what has to be written, so that all of it is in the window at once. */
  #fresh(contents: ReadonlyMap<string, Uint8Array>): ReadonlySet<string> {
    const fresh = new Set<string>();
    let bytes = 0;
    for (let before = -1; fresh.size > before; ) {
      before = fresh.size;
      for (const [digest, { length }] of contents) {
        if (fresh.has(digest) || this.#window.lasting(digest, fresh.size, bytes) !== undefined) continue;
        fresh.add(digest);
        bytes += length;
      }
    }
    return fresh;
  }
}

/** Whether these bytes, between quotes, are a JSON string. */
function isInString(content: Uint8Array): boolean {
  const text = textOf(content);
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
