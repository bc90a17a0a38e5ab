import { byteText, matchAt, percentDecodedBytes } from './byte-text';
import type { SecretMatch } from './found-secret';
import { isMasked } from './placeholders';
import type { RuleId } from './rules';
import { canBeValue, isDistinctive, isMixed } from './values';
import { isInsideWord } from './vendor-tokens';

/**
 * A kind of secret that is recognised by its look. It starts with one of `starts`. The sticky `pattern` is tried only
 * there, and not inside a word. Every repetition is bounded, and those with large bounds cannot restart inside what
 * they matched, so scanning is linear.
 */
export interface SecretShape {
  readonly rule: RuleId;
  readonly starts: readonly string[];
  readonly pattern: RegExp;
  /** Returns whether the match (its first group, if any) is a secret. */
  readonly accepts?: (secret: string) => boolean;
  /** It is `user:password`, plain or in base64. */
  readonly isPair?: true;
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

/** Returns the password of `user:password`, in base64 or as in a URL. Byte text in and out. */
export function passwordIn(pair: string): string | undefined {
  if (!isBasic(pair)) return pair.includes(':') ? percentDecodedBytes(pair.slice(pair.indexOf(':') + 1)) : undefined;
  const decoded = atob(pair.replace(/=+$/, ''));
  return byteText(Uint8Array.from(decoded.slice(decoded.indexOf(':') + 1), (character) => character.charCodeAt(0)));
}

/** Returns true for a password that a person made, where little else can stand: `-pa1b2`. */
export function isTyped(text: string): boolean {
  return isMixed(text) || (/\d|[^\w\s.-]/.test(text) && /[A-Za-z]/.test(text) && !/[:/]/.test(text));
}

/** Returns true for `user:password`, plain or in base64. */
export function isUserAndPassword(value: string): boolean {
  const [, password] = /^[^\s:/]{1,100}:(?!\/\/)(\S{4,})$/.exec(value) ?? [];
  return password === undefined
    ? isBasic(value)
    : canBeValue(password) && !/[<>[\]{}()]/.test(password) && (isDistinctive(password) || isTyped(password));
}

/** Returns the secret of a shape whose literal stands at a place. */
export function shapeAt(text: string, at: number, shape: SecretShape): SecretMatch | undefined {
  if (isInsideWord(text, at)) return undefined;
  const match = matchAt(shape.pattern, text, at);
  if (!match) return undefined;
  const [from, to] = match.indices![1] ?? match.indices![0]!;
  const secret = text.slice(from, to);
  if (isMasked(secret) || shape.accepts?.(secret) === false) return undefined;
  const password = shape.isPair && passwordIn(secret);
  if (password !== undefined && isMasked(password)) return undefined;
  return { rule: shape.rule, from, to, password, shape: true };
}
