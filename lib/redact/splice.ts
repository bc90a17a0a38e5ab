import type { Found } from './found';
import type { Placeholders } from './placeholder';

const encoder = new TextEncoder();

/** The bytes with a placeholder for each secret, which come in order and apart from one another, and all others as they were. JSON stays JSON. */
export function spliced(bytes: Uint8Array, secrets: readonly Found[], placeholders: Placeholders): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { rule, value, from, to, number } of secrets) {
    const text = placeholders.of(rule, value);
    parts.push(bytes.subarray(at, from), encoder.encode(number ? `"${text}"` : text));
    at = to;
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
