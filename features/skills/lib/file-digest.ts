import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { isObject, own } from '@/lib/json/value';
import { fileKey, type SkillFile } from './skill-entry';

/** The content of a file, as `resources/read` returned it. */
export interface FileContent {
  readonly bytes: Uint8Array;
  /** Its text, if the bytes are UTF-8. */
  readonly text: string | undefined;
}

/** Finds a file in a result of `resources/read`. Returns a sentence if the result has none. */
export function skillContent(uri: string, result: unknown): FileContent | string {
  const contents = isObject(result) ? own(result, 'contents') : undefined;
  const key = fileKey(uri) ?? uri;
  const item = (Array.isArray(contents) ? contents : []).find((each) => {
    const named = isObject(each) ? own(each, 'uri') : undefined;
    return typeof named === 'string' && (fileKey(named) ?? named) === key;
  });
  if (!isObject(item)) return 'The result has no contents with its uri.';
  const [text, blob] = [own(item, 'text'), own(item, 'blob')];
  if (typeof text === 'string') return { bytes: new TextEncoder().encode(text), text };
  if (typeof blob !== 'string') return 'The contents have neither text nor a blob.';
  try {
    const bytes = Uint8Array.from(atob(blob), (char) => char.charCodeAt(0));
    return { bytes, text: utf8Text(bytes) };
  } catch {
    return 'The blob is not valid base64.';
  }
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Compares the bytes of a file with its size and digest. Returns a sentence for the first that differs. */
export function digestProblem(
  { size, digest }: SkillFile,
  bytes: Uint8Array,
): { readonly what: 'size' | 'digest'; readonly message: string } | undefined {
  if (bytes.length !== size) {
    return { what: 'size', message: `It has ${bytes.length} bytes. The entry says ${size}.` };
  }
  const real = `sha256:${bytesToHex(sha256(bytes))}`;
  return real === digest ? undefined : { what: 'digest', message: `Its digest is ${real}. The entry says ${digest}.` };
}
