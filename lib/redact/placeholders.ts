import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { MASK } from '@/lib/wire/http-frame';
import { LIMITS } from '@/lib/wire/limits';
import { bytesOfText, byteTextOf } from './byte-text';
import type { Found } from './found';
import { RULES, type RuleId } from './rules';

/** {@link MASK} as byte text. */
const BYTE_MASK = byteTextOf(MASK);
/** What every placeholder begins with. */
export const PLACEHOLDER_START = '[redacted:';
const PLACEHOLDER = /\[redacted:([a-z-]{1,40}):[0-9a-f]{8}\]/g;

/** What stands in byte text where a value was taken out. */
export const MASKED_PATTERN = new RegExp(`${PLACEHOLDER.source}|${BYTE_MASK}`, 'g');

/**
 * Makes placeholders: the same one for the same value, as long as this lives, so that what belonged together still does. They
 * tell nothing of the value to anybody without the salt, which is random and never leaves the memory of this process.
 */
export class Placeholders {
  readonly #salted = hmac.create(sha256, crypto.getRandomValues(new Uint8Array(32)));
  readonly #made = new Map<string, string>();

  /** `value` is byte text. */
  placeholderFor(rule: RuleId, value: string): string {
    const known = this.#made.get(value);
    if (known !== undefined) return known;
    const digest = this.#salted.clone().update(bytesOfText(value)).digest().subarray(0, 4);
    const made = `[redacted:${rule}:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}]`;
    if (this.#made.size < LIMITS.redactedValues) this.#made.set(value, made);
    return made;
  }
}

const ONLY_MASKED_PATTERN = new RegExp(`^(?:\\s*(?:${MASKED_PATTERN.source}))*\\s*$`);

/** True for byte text that holds nothing but what takes the place of a value. */
export function isMasked(text: string): boolean {
  return text !== '' && ONLY_MASKED_PATTERN.test(text);
}

/** The rule that a placeholder names; '' if it is none of ours. */
export function ruleOfPlaceholder(text: string): RuleId | '' {
  const [, rule = ''] = text.match(new RegExp(PLACEHOLDER.source)) ?? [];
  return Object.hasOwn(RULES, rule) ? (rule as RuleId) : '';
}

const encoder = new TextEncoder();

/** Placeholders that are made in a step. */
const PLACEHOLDERS_PER_STEP = 64;

/** The bytes with a placeholder for each secret, which come in order and apart from one another, and all others as they were. JSON stays JSON. In short steps. */
export function* replaceSecrets(
  bytes: Uint8Array,
  secrets: readonly Found[],
  placeholders: Placeholders,
): Generator<void, Uint8Array> {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { rule, value, from, to, quote = '' } of secrets) {
    const text = placeholders.placeholderFor(rule, value);
    parts.push(bytes.subarray(at, from), encoder.encode(quote + text + quote));
    at = to;
    if (parts.length % (2 * PLACEHOLDERS_PER_STEP) === 0) yield;
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
