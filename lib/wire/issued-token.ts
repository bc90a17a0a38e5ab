import { type Checked, isNumber, isText, isTrue, listOf, objectWith, oneOf, optional } from '@/lib/json/value';

/** A claim of a token. Without `value`, it is not shown: it may identify a person or a session, or be a secret. */
const isClaim = objectWith({
  name: isText,
  /** JSON, cut to `CLAIM_CHARS`. */
  value: optional(isText),
  /** Length of a hidden value, in characters of JSON. */
  chars: optional(isNumber),
});
export type ShownClaim = Checked<typeof isClaim>;

/** A JWT without its signature, and without the claims that are hidden. The token can't be made from it. */
const isJwt = objectWith({
  header: listOf(isClaim),
  claims: listOf(isClaim),
  /** It has no signature, so anybody could make it. All claims are hidden then. */
  unsigned: optional(isTrue),
});
export type DecodedJwt = Checked<typeof isJwt>;

/**
 * Accepts facts about an access token, and what came with it, which anybody can have written into a recording. Never
 * the token, or a part of it.
 */
export const isIssuedToken = objectWith({
  scheme: oneOf('Bearer', 'DPoP'),
  /** Length of the access token. */
  chars: isNumber,
  /** Absent: the token is opaque, or its claims are not readable. */
  jwt: optional(isJwt),
  /** An ID token that came with it. */
  idToken: optional(isJwt),
  /** Length of the refresh token. Absent without one. */
  refreshChars: optional(isNumber),
  /** When the token expires, as the authorization server said. ISO 8601. */
  expiresAt: optional(isText),
  clientId: optional(isText),
  resource: optional(isText),
  /** Thumbprint of the key that the token is bound to (RFC 7638). */
  keyThumbprint: optional(isText),
  /** It is kept for later runs. */
  kept: optional(isTrue),
});
export type IssuedToken = Checked<typeof isIssuedToken>;
