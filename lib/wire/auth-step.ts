/**
 * Steps of authorization that a person can run alone. `exchange` sends the last code once more, which the server has to
 * refuse. `corrupt` changes the token of the next request. `use` sends a request with the token.
 */
export const AUTH_STEPS = [
  'resource-metadata',
  'server-metadata',
  'register',
  'sign-in',
  'exchange',
  'token',
  'refresh',
  'use',
  'corrupt',
  'revoke',
] as const;
export type AuthStep = (typeof AUTH_STEPS)[number];

/** A claim of a token. Without `value`, it is not shown: it may identify a person or a session, or be a secret. */
export interface ShownClaim {
  readonly name: string;
  /** JSON, cut to `CLAIM_CHARS`. */
  readonly value?: string;
  /** Length of a hidden value, in characters of JSON. */
  readonly chars?: number;
}

/** Characters that are shown of a claim. Audiences and scopes are shorter. */
export const CLAIM_CHARS = 400;

/** A JWT without its signature, and without the claims that are hidden. The token can't be made from it. */
export interface DecodedJwt {
  readonly header: readonly ShownClaim[];
  readonly claims: readonly ShownClaim[];
  /** It has no signature, so anybody could make it. All claims are hidden then. */
  readonly unsigned?: true;
}

/** Facts about an access token, and what came with it. Never the token, or a part of it. */
export interface IssuedToken {
  readonly scheme: 'Bearer' | 'DPoP';
  /** Length of the access token. */
  readonly chars: number;
  /** Absent: the token is opaque, or its claims are not readable. */
  readonly jwt?: DecodedJwt;
  /** An ID token that came with it. */
  readonly idToken?: DecodedJwt;
  /** Length of the refresh token. Absent without one. */
  readonly refreshChars?: number;
  /** When the token expires, as the authorization server said. ISO 8601. */
  readonly expiresAt?: string;
  readonly clientId?: string;
  readonly resource?: string;
  /** Thumbprint of the key that the token is bound to (RFC 7638). */
  readonly keyThumbprint?: string;
  /** It is kept for later runs. */
  readonly kept?: true;
}
