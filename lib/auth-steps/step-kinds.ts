import type { AuthStep } from '@/lib/wire/auth-step';

/** A section of a specification. */
interface SpecSection {
  readonly section: string;
  readonly url: string;
}

/** The facts that all steps of a kind share. */
interface StepKindFacts {
  readonly title: string;
  /** The purpose of the step. One sentence. */
  readonly purpose: string;
  readonly specs: readonly SpecSection[];
  /** The next step after a success. One sentence. */
  readonly next: string;
  /** The consequence of a failure. One sentence. */
  readonly otherwise: string;
  /** The command that runs only this step. */
  readonly run?: AuthStep;
}

const rfc = (number: number, section: string): SpecSection => ({
  section: `RFC ${number}, ${section}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`,
});

const STOPS = 'mcp-inspect stops, and says why.';
const TOKEN_NEXT = 'mcp-inspect sends the request again, with the token.';

/** Each kind of step, in the order of a sign-in. */
export const STEP_KINDS = {
  challenge: {
    title: 'The server asks for a token',
    purpose: 'The server refuses a request without a valid token, and says where its metadata is.',
    specs: [rfc(6750, '3'), rfc(9728, '5.1')],
    next: 'mcp-inspect reads the metadata of the server.',
    otherwise: 'mcp-inspect reads the metadata of the server.',
    run: 'use',
  },
  'resource-metadata': {
    title: 'Protected resource metadata',
    purpose: 'The server names its authorization server, its scopes and the resource to request tokens for.',
    specs: [rfc(9728, '3'), rfc(8707, '2')],
    next: 'mcp-inspect reads the metadata of the authorization server.',
    otherwise:
      'mcp-inspect tries the next well-known URL. Without any, the host of the server is its authorization server.',
    run: 'resource-metadata',
  },
  'server-metadata': {
    title: 'Authorization server metadata',
    purpose: 'The authorization server lists its endpoints, and says what it supports.',
    specs: [rfc(8414, '3'), rfc(9207, '3')],
    next: 'mcp-inspect identifies itself as a client, or requests a token.',
    otherwise: 'mcp-inspect tries the next well-known URL, and stops after the last one.',
    run: 'server-metadata',
  },
  registration: {
    title: 'Client registration',
    purpose: 'mcp-inspect registers as a client, because it has no client id for this authorization server.',
    specs: [rfc(7591, '3')],
    next: 'You sign in as a user of this client.',
    otherwise: STOPS,
    run: 'register',
  },
  'sign-in': {
    title: 'Sign-in page',
    purpose:
      'You sign in at the authorization server, and allow the client to act for you. PKCE binds the code to this run.',
    specs: [rfc(6749, '4.1.1'), rfc(7636, '4.3'), rfc(8707, '2')],
    next: 'The authorization server sends your browser back with a code.',
    otherwise: STOPS,
    run: 'sign-in',
  },
  callback: {
    title: 'Callback',
    purpose:
      'Your browser brings the code of the authorization server. mcp-inspect checks the state and the issuer first.',
    specs: [rfc(6749, '4.1.2'), rfc(9207, '2')],
    next: 'mcp-inspect exchanges the code for a token.',
    otherwise: STOPS,
    run: 'sign-in',
  },
  code: {
    title: 'Token request with the code',
    purpose: 'mcp-inspect exchanges the code for a token. The verifier proves that it began the sign-in.',
    specs: [rfc(6749, '4.1.3'), rfc(7636, '4.5'), rfc(8707, '2')],
    next: TOKEN_NEXT,
    otherwise: STOPS,
    run: 'exchange',
  },
  refresh: {
    title: 'Token refresh',
    purpose: 'mcp-inspect gets another token for its refresh token, without a person.',
    specs: [rfc(6749, '6')],
    next: TOKEN_NEXT,
    otherwise: 'You have to sign in again.',
    run: 'refresh',
  },
  'client-credentials': {
    title: 'Token request by client credentials',
    purpose: 'mcp-inspect requests a token as the client itself, with a secret or a signed assertion.',
    specs: [rfc(6749, '4.4'), rfc(7523, '2.2')],
    next: TOKEN_NEXT,
    otherwise: STOPS,
    run: 'token',
  },
  'token-exchange': {
    title: 'Token exchange at the identity provider',
    purpose: 'The identity provider of the company exchanges the ID token of a user for an ID-JAG.',
    specs: [rfc(8693, '2')],
    next: 'mcp-inspect exchanges the ID-JAG for a token.',
    otherwise: STOPS,
    run: 'token',
  },
  'jwt-bearer': {
    title: 'Token request by an assertion',
    purpose: 'mcp-inspect exchanges a signed assertion for a token: an ID-JAG, or the JWT of a workload.',
    specs: [rfc(7523, '2.1')],
    next: TOKEN_NEXT,
    otherwise: STOPS,
    run: 'token',
  },
  earlier: {
    title: 'Token of an earlier sign-in',
    purpose: 'Another connection or an earlier run signed in, so mcp-inspect uses that token.',
    specs: [],
    next: 'mcp-inspect sends its requests with the token.',
    otherwise: STOPS,
    run: 'use',
  },
  use: {
    title: 'Use of the token',
    purpose: 'mcp-inspect sends a request with the token, and the server accepts it.',
    specs: [rfc(6750, '2.1')],
    next: 'The session goes on with this token, until the server refuses it.',
    otherwise: 'mcp-inspect handles the refusal.',
    run: 'use',
  },
  corrupt: {
    title: 'Token corrupted on purpose',
    purpose: 'You chose to change the token of the next request, to see how the server and mcp-inspect handle that.',
    specs: [rfc(6750, '3.1')],
    next: 'The server should refuse the next request with 401.',
    otherwise: STOPS,
    run: 'corrupt',
  },
  revocation: {
    title: 'Token revocation',
    purpose: 'mcp-inspect asks the authorization server to revoke a token.',
    specs: [rfc(7009, '2')],
    next: 'The server should refuse the token from now on.',
    otherwise: 'The token stays valid.',
    run: 'revoke',
  },
  'signed-out': {
    title: 'Signed out',
    purpose: 'You signed out, and mcp-inspect deleted its tokens for this server.',
    specs: [],
    next: 'The next connection signs in again.',
    otherwise: STOPS,
  },
  stopped: {
    title: 'Stopped',
    purpose: 'A step failed, so mcp-inspect did not go on.',
    specs: [],
    next: STOPS,
    otherwise: 'Correct the cause, then run the step again.',
  },
} as const satisfies Readonly<Record<string, StepKindFacts>>;

export type StepKind = keyof typeof STEP_KINDS;

/** Returns the facts that all steps of a kind share. */
export function kindFacts(kind: StepKind): StepKindFacts {
  return STEP_KINDS[kind];
}

/** The section about proofs, for requests that carry one. */
export const PROOF_SPEC = rfc(9449, '5');
