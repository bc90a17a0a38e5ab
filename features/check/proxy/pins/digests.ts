import type { AcceptedAnswer } from '@/features/check/lib/pins/pins-file';
import { canonicalJson } from '@/lib/json/canonical';
import { sha256Of } from '@/proxy/files/native-codecs';

/** Characters of a key or digest: 96 bits. */
const KEY_CHARS = 16;

/** Returns a short text that stands for a longer one. */
export function shortDigest(text: string): string {
  return sha256Of(Buffer.from(text)).slice(0, KEY_CHARS).replaceAll('/', '_').replaceAll('+', '-');
}

/** Digests that were made, since those of large answers take long. */
const MADE = new WeakMap<AcceptedAnswer, string>();

/** Returns a digest of an answer. White space and the order of members don't count. */
export function digestOf(answer: AcceptedAnswer): string {
  const made = MADE.get(answer) ?? shortDigest(`${answer.kind} ${canonicalJson(answer.text)}`);
  MADE.set(answer, made);
  return made;
}
