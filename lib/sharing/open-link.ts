import { fromBase64Url } from '@/lib/recording/base64';
import { RecordingError } from '@/lib/recording/errors';
import { formatBytes } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { LINK_DICTIONARY, restoreLines } from './link-format';

/**
 * Returns the recording in a fragment's `recording=…` as a file's bytes. The link is untrusted. Rejects with a
 * RecordingError: `link-damaged`, `link-newer`, `link-too-large`.
 */
export async function readRecordingLink(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const [, version, packed] = /^(\d{1,6})\.([\w-]+)$/.exec(text) ?? [];
  if (packed === undefined || text.length > LIMITS.linkChars) throw DAMAGED;
  if (version !== '1') throw NEWER;
  const dictionary = new TextEncoder().encode(LINK_DICTIONARY);
  const lines = await inflated([storedBlock(dictionary), bytesOf(packed)], dictionary.length);
  return new TextEncoder().encode(restoreLines(lines));
}

function bytesOf(packed: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64Url(packed) as Uint8Array<ArrayBuffer>;
  } catch {
    throw DAMAGED;
  }
}

/**
 * Returns a dictionary as a deflate block. Browser streams take no dictionary, but a stored first block (RFC 1951
 * §3.2.4) puts the same bytes where later blocks look back.
 */
function storedBlock(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = bytes;
  return new Uint8Array([0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255, ...bytes]);
}

/** Inflates pieces and returns the text without its first `skip` bytes. */
async function inflated(pieces: readonly Uint8Array<ArrayBuffer>[], skip: number): Promise<string> {
  const reader = new Blob([...pieces]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  let passed = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const chunk: Uint8Array = next.value;
      text += decoder.decode(chunk.subarray(Math.max(0, skip - passed)), { stream: true });
      passed += chunk.length;
      if (passed > LIMITS.linkUnpackedBytes) throw TOO_LARGE;
    }
  } catch (error) {
    await reader.cancel().catch(() => {});
    throw error === TOO_LARGE ? error : DAMAGED;
  }
  return text + decoder.decode();
}

const DAMAGED = new RecordingError(
  'link-damaged',
  'The recording in this link is damaged.',
  'Ask for the link again, or for a file. Mail and chat programs may cut long links.',
);

const NEWER = new RecordingError(
  'link-newer',
  'This link needs a newer version of mcp-inspect.',
  'Update mcp-inspect, then open it again.',
);

const TOO_LARGE = new RecordingError(
  'link-too-large',
  `The recording in this link unpacks to more than ${formatBytes(LIMITS.linkUnpackedBytes)}.`,
  'Ask for a file instead.',
);
