import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { MASK } from '@/lib/wire/http-frame';
import { LIMITS } from '@/lib/wire/limits';
import { bytesOfText, byteTextOf } from './byte-text';
import { RULES, type RuleId } from './rules';

/** {@link MASK} as byte text. */
const BYTE_MASK = byteTextOf(MASK);
/** What every placeholder begins with. */
export const PLACEHOLDER_START = '[redacted:';
const PLACEHOLDER = /\[redacted:([a-z-]{1,40}):[0-9a-f]{8}\]/g;

/** What stands in byte text where a value was taken out. */
export const TAKEN_OUT = new RegExp(`${PLACEHOLDER.source}|${BYTE_MASK}`, 'g');

/**
 * Makes placeholders: the same one for the same value, as long as this lives, so that what belonged together still does. They
 * tell nothing of the value to anybody without the salt, which is random and never leaves the memory of this process.
 */
export class Placeholders {
  readonly #salted = hmac.create(sha256, crypto.getRandomValues(new Uint8Array(32)));
  readonly #made = new Map<string, string>();

  /** `value` is byte text. */
  of(rule: RuleId, value: string): string {
    const known = this.#made.get(value);
    if (known !== undefined) return known;
    const digest = this.#salted.clone().update(bytesOfText(value)).digest().subarray(0, 4);
    const made = `[redacted:${rule}:${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}]`;
    if (this.#made.size < LIMITS.redactedValues) this.#made.set(value, made);
    return made;
  }
}

const ONLY_TAKEN_OUT = new RegExp(`^(?:\\s*(?:${TAKEN_OUT.source}))*\\s*$`);

/** True for byte text that holds nothing but what takes the place of a value. */
export function isTakenOut(text: string): boolean {
  return text !== '' && ONLY_TAKEN_OUT.test(text);
}

/** The rule that a placeholder names; '' if it is none of ours. */
export function ruleOfPlaceholder(text: string): RuleId | '' {
  const [, rule = ''] = text.match(new RegExp(PLACEHOLDER.source)) ?? [];
  return Object.hasOwn(RULES, rule) ? (rule as RuleId) : '';
}
