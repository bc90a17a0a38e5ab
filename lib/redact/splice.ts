import type { Found } from './found';
import type { Placeholders } from './placeholder';

const encoder = new TextEncoder();

/** Placeholders that are made in a step. */
const MADE = 64;

/** The bytes with a placeholder for each secret, which come in order and apart from one another, and all others as they were. JSON stays JSON. In short steps. */
export function* spliced(
  bytes: Uint8Array,
  secrets: readonly Found[],
  placeholders: Placeholders,
): Generator<void, Uint8Array> {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { rule, value, from, to, quote = '' } of secrets) {
    const text = placeholders.of(rule, value);
    parts.push(bytes.subarray(at, from), encoder.encode(quote + text + quote));
    at = to;
    if (parts.length % (2 * MADE) === 0) yield;
  }
  parts.push(bytes.subarray(at));
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    result.set(part, end);
    end += part.length;
  }
  return result;
}
