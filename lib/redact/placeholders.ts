import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { joinBytes } from '@/lib/json/typed-arrays';
import { MASK } from '@/lib/wire/http-frame';
import { LIMITS } from '@/lib/wire/limits';
import { bytesOfText, byteTextOf } from './byte-text';
import type { FoundSecret } from './found-secret';
import { type RuleId, SECRET_RULES } from './rules';

/** {@link MASK} as byte text. */
const BYTE_MASK = byteTextOf(MASK);
/** Every placeholder starts with this. */
export const PLACEHOLDER_START = '[redacted:';
const PLACEHOLDER = /\[redacted:([a-z-]{1,40}):[0-9a-f]{8}\]/g;

/** Matches the replacement of a removed value in byte text. */
export const MASKED_PATTERN = new RegExp(`${PLACEHOLDER.source}|${BYTE_MASK}`, 'g');

/** Returns the replacements of removed values in byte text. */
export function masksIn(text: string): readonly RegExpMatchArray[] {
  return text.includes(PLACEHOLDER_START) || text.includes(BYTE_MASK) ? [...text.matchAll(MASKED_PATTERN)] : [];
}

/**
 * Makes placeholders: the same value gets the same one, so that repetitions stay recognisable. A placeholder reveals
 * nothing without the salt, which is random and never leaves this process.
 */
export class Placeholders {
  readonly #salted: ReturnType<typeof hmac.create>;
  readonly #made = new Map<string, string>();

  /** Two objects with the same salt make the same placeholders. */
  constructor(salt: Uint8Array = crypto.getRandomValues(new Uint8Array(32))) {
    this.#salted = hmac.create(sha256, salt);
  }

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

/** Returns true for byte text that holds only replacements of removed values. */
export function isMasked(text: string): boolean {
  return text !== '' && ONLY_MASKED_PATTERN.test(text);
}

/** Returns the rule that a placeholder names; '' for text that is not one of our placeholders. */
export function ruleOfPlaceholder(text: string): RuleId | '' {
  const [, rule = ''] = text.match(new RegExp(PLACEHOLDER.source)) ?? [];
  return Object.hasOwn(SECRET_RULES, rule) ? (rule as RuleId) : '';
}

const encoder = new TextEncoder();

/** Placeholders made per step. */
const PLACEHOLDERS_PER_STEP = 64;

/**
 * Yields in short steps and returns the bytes with a placeholder for each secret. Secrets come in order and do not
 * overlap. JSON stays JSON.
 */
export function* replaceSecrets(
  bytes: Uint8Array,
  secrets: readonly FoundSecret[],
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
  return joinBytes(parts);
}
