import { joinedBytes } from '@/lib/wire/joined-bytes';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';
import { fromBase64, toBase64 } from './base64';
import type { RecordingIndex } from './format';
import { decodeChunk, type IndexChunk } from './index-chunk';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The line of an index, line feed included: `n` is the number of its first frame, `deflated` what `encodeChunk` made, deflated raw. */
export function encodeIndexLine(n: number, frames: number, deflated: Uint8Array): Uint8Array {
  const line: RecordingIndex = { k: 'index', v: INDEX_VERSION, n, frames, data: toBase64(deflated) };
  return encoder.encode(`${JSON.stringify(line)}\n`);
}

/** What an index of ours is made like. One of another version is none to us. */
const INDEX_VERSION = 1;

/** Unpacks what was deflated raw. Rejects for what is no such thing, and for what comes to more than `most` bytes. */
export type Inflate = (deflated: Uint8Array<ArrayBuffer>, most: number) => Promise<Uint8Array<ArrayBuffer>>;

/** What an index line says. */
export interface DecodedIndex {
  /** Number of its first frame. */
  readonly n: number;
  readonly chunk: IndexChunk;
}

/** The line of an index; undefined for what is none. Never rejects. */
export async function decodeIndexLine(line: Uint8Array, inflate: Inflate): Promise<DecodedIndex | undefined> {
  try {
    const index: unknown = JSON.parse(decoder.decode(line));
    const data = isObject(index) ? own(index, 'data') : undefined;
    if (!isObject(index) || own(index, 'k') !== 'index' || own(index, 'v') !== INDEX_VERSION) return undefined;
    const n = own(index, 'n');
    if (typeof n !== 'number' || typeof data !== 'string') return undefined;
    const bytes = await inflate(fromBase64(data) as Uint8Array<ArrayBuffer>, LIMITS.indexLineBytes);
    const chunk = decodeChunk(bytes);
    return chunk && chunk.count === own(index, 'frames') ? { n, chunk } : undefined;
  } catch {
    return undefined;
  }
}

/** By what every platform has. */
export const inflateAnywhere: Inflate = async (deflated, most) => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError(`unpacks to more than ${most} bytes`);
    }
    pieces.push(next.value);
  }
  return joinedBytes(pieces);
};
