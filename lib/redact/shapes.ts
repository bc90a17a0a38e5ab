import { byteText, matchAt, percentDecoded } from './byte-text';
import type { SecretMatch } from './found-secret';
import { isMasked } from './placeholders';
import type { RuleId } from './rules';
import { canBeValue, isDistinctive } from './values';
import { isInsideWord } from './vendor-tokens';

/**
 * A kind of secret that is recognised by its look. It starts with one of `starts`. The sticky `pattern` is tried only
 * there, and not inside a word. Every repetition is bounded, and those with large bounds cannot restart inside what
 * they matched, so scanning is linear.
 */
export interface Shape {
  readonly rule: RuleId;
  readonly starts: readonly string[];
  readonly pattern: RegExp;
  /** Returns whether the match (its first group, if any) is a secret. */
  readonly accepts?: (secret: string) => boolean;
  /** Returns the password inside it; undefined if there is none. */
  readonly holdsPassword?: (secret: string) => string | undefined;
  /** An invented example, in two parts, so that secret scanners do not report this file. */
  readonly example: readonly [string, string];
}

/** Returns the password of `user:password`, with percent-encoding decoded. */
export function passwordOfPair(pair: string): string {
  return percentDecoded(pair.slice(pair.indexOf(':') + 1));
}

export function hasDigitAndLetter(text: string): boolean {
  return /\d|[^\w\s.-]/.test(text) && /[A-Za-z]/.test(text) && !/[:/]/.test(text);
}

/** Returns true for `user:password` in base64 (RFC 7617) with printable characters. */
export function isBasic(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(text)) return false;
  try {
    return /^[ -9;-~\u0080-\u00ff]*:[ -~\u0080-\u00ff]+$/.test(atob(text.replace(/=+$/, '')));
  } catch {
    return false;
  }
}

/** Returns the password of a Basic credential; undefined for any other text. Byte text in and out. */
export function basicPassword(text: string): string | undefined {
  if (!isBasic(text)) return undefined;
  const decoded = atob(text.replace(/=+$/, ''));
  return byteText(Uint8Array.from(decoded.slice(decoded.indexOf(':') + 1), (character) => character.charCodeAt(0)));
}

/** Returns the password of `user:password`, plain or in base64. */
export function passwordIn(value: string): string | undefined {
  return basicPassword(value) ?? /^[^\s:/]{1,100}:(.*)$/.exec(value)?.[1];
}

/** Returns true for `user:password`, plain or in base64. */
export function isPair(value: string): boolean {
  const [, password] = /^[^\s:/]{1,100}:(?!\/\/)(\S{4,})$/.exec(value) ?? [];
  return password === undefined
    ? isBasic(value)
    : canBeValue(password) && !/[<>[\]{}()]/.test(password) && (isDistinctive(password) || hasDigitAndLetter(password));
}

/** Returns the secret of a shape whose literal stands at a place. */
export function shapeAt(text: string, at: number, shape: Shape): SecretMatch | undefined {
  if (isInsideWord(text, at)) return undefined;
  const match = matchAt(shape.pattern, text, at);
  if (!match) return undefined;
  const [from, to] = match.indices![1] ?? match.indices![0]!;
  const secret = text.slice(from, to);
  if (isMasked(secret) || shape.accepts?.(secret) === false) return undefined;
  const password = shape.holdsPassword?.(secret);
  if (password !== undefined && isMasked(password)) return undefined;
  return { rule: shape.rule, from, to, password, shape: true };
}
