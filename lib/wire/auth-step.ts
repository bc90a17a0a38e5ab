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

/** Characters that are shown of a claim. Audiences and scopes are shorter. */
export const CLAIM_CHARS = 400;
