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

/** The line of an index whose first frame is to be number `n`; undefined for any other, and for what is no index at all. Never rejects. */
export async function decodeIndexLine(line: Uint8Array, n: number): Promise<IndexChunk | undefined> {
  try {
    const index: unknown = JSON.parse(decoder.decode(line));
    const data = isObject(index) ? own(index, 'data') : undefined;
    if (!isObject(index) || own(index, 'k') !== 'index' || own(index, 'v') !== INDEX_VERSION) return undefined;
    if (own(index, 'n') !== n || typeof data !== 'string') return undefined;
    const bytes = await inflated(fromBase64(data) as Uint8Array<ArrayBuffer>);
    const chunk = bytes && decodeChunk(bytes);
    return chunk?.count === own(index, 'frames') ? chunk : undefined;
  } catch {
    return undefined;
  }
}

/** undefined for what unpacks to more than any index is. */
async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > LIMITS.indexLineBytes) {
      await reader.cancel();
      return undefined;
    }
    pieces.push(next.value);
  }
  return joinedBytes(pieces);
}
