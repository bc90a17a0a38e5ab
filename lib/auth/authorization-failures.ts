import { maskedUrl } from '@/lib/transports/masking';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';

const BY_HAND = 'Give a token by hand: an Authorization header with one that the server accepts.';

/** A server's words, in quotes and not too many. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 300));
}

/** The same for a URL: its query may hold secrets, even of the server's own. */
function quotedUrl(url: string): string {
  // A backslash ends the host as a slash does, so what is before an @ after it is no password, but the host to be shown.
  const [, start = url, rest = ''] = /^([^?#\\]*)(\\.*)$/s.exec(url) ?? [];
  return quoted(maskedUrl(start) + maskedUrl(rest));
}

/** What is wrong with authorization, as something to throw. One line each: what happened, and what to do. */
export const FAILURES = {
  noOAuth: (server: string): Failure => ({
    code: 'authorization-unexplained',
    message: `${new URL(server).origin} wants to know who asks, but does not say how: it has no OAuth metadata and registers no clients.`,
    advice: BY_HAND,
  }),
  metadata: (url: string, why: string): Failure => ({
    code: 'authorization-metadata',
    message: `The OAuth metadata of ${maskedUrl(url)} can’t be used: ${why}.`,
    advice: 'Look at it in the message log, and correct it on the server.',
  }),
  noServerMetadata: (issuer: string): Failure => ({
    code: 'authorization-metadata',
    message: `The server names ${quotedUrl(issuer)} as its authorization server, which has no metadata at any of the well-known places.`,
    advice: 'Check `authorization_servers` in the server’s metadata, and that the authorization server runs.',
  }),
  resource: (named: string, server: string): Failure => ({
    code: 'resource-mismatch',
    message: `The server’s metadata is for ${quotedUrl(named)}, which is not ${maskedUrl(server)}, so nothing was asked of anybody.`,
    advice: 'Make `resource` in its protected resource metadata the URL that clients connect to.',
  }),
  metadataIssuer: (expected: string, received: string): Failure => ({
    code: 'issuer-mismatch',
    message: `The authorization server at ${quotedUrl(expected)} calls itself ${quotedUrl(received)}, so it may be another one.`,
    advice: 'Make `issuer` in its metadata the very URL that the server names in `authorization_servers`.',
  }),
  callbackIssuer: (expected: string, received: string | undefined): Failure => ({
    code: 'issuer-mismatch',
    message: `The sign-in came back ${received === undefined ? 'without an issuer' : `from ${quotedUrl(received)}`}, but was begun at ${quotedUrl(expected)}, so its code was not used.`,
    advice: 'Make the authorization server send `iss` exactly as in its metadata (RFC 9207), then sign in again.',
  }),
  pkce: (issuer: string): Failure => ({
    code: 'no-pkce',
    message: `The authorization server ${issuer} does not say that it supports PKCE with S256, without which a sign-in is not safe.`,
    advice: 'Make its metadata list S256 in `code_challenge_methods_supported`.',
  }),
  signInUrl: (url: string, why: string): Failure => ({
    code: 'authorization-url-refused',
    message: `The authorization server wants people to sign in at ${quotedUrl(url)}, ${why}, so it was not opened.`,
    advice: 'Correct `authorization_endpoint` in its metadata: it has to be https.',
  }),
  noClient: (issuer: string, redirectUri: string): Failure => ({
    code: 'no-client',
    message: `The authorization server ${issuer} takes no registrations from programs, so it has to know mcp-inspect beforehand.`,
    advice: `Register a client there with the redirect URI ${redirectUri}, and give its client id.`,
  }),
  registration: (issuer: string, status: number, said: string): Failure => ({
    code: 'registration-refused',
    message: `The authorization server ${issuer} refused to register mcp-inspect: HTTP ${status}${said === '' ? '' : `, ${quoted(said)}`}.`,
    advice: 'See its answer in the message log, or register a client by hand and give its client id.',
  }),
  otherIssuer: (clientId: string, known: string, issuer: string): Failure => ({
    code: 'issuer-changed',
    message: `The client id ${quoted(clientId)} was used at ${known}, and the server now names ${issuer}, which must not learn its secret.`,
    advice: 'If the server really moved, sign out and connect again with a client of the new one.',
  }),
  denied: (error: string, description: string | null): Failure => ({
    code: 'sign-in-refused',
    message: `The authorization server ended the sign-in: ${quoted(error)}${description ? `, ${quoted(description)}` : ''}.`,
    advice: 'Connect again to try once more.',
  }),
  noCode: (): Failure => ({
    code: 'sign-in-refused',
    message: 'The sign-in came back with neither a code nor an error.',
    advice: 'See the authorization server’s own log.',
  }),
  token: (issuer: string, error: string, description: string): Failure => ({
    code: 'token-refused',
    message: `The authorization server ${issuer} gave no token: ${quoted(error)}${description === '' || description === error ? '' : `, ${quoted(description)}`}.`,
    advice: 'See its answer in the message log, then connect again.',
  }),
  tokenType: (issuer: string, type: string): Failure => ({
    code: 'token-type',
    message: `The authorization server ${issuer} gave a token of the type ${quoted(type)}, which can’t be sent as a bearer token.`,
    advice: 'Make it issue bearer tokens.',
  }),
  insecureToken: (url: string): Failure => ({
    code: 'authorization-url-refused',
    message: `The token endpoint ${quoted(url)} is neither https nor on this machine, so no secret was sent there.`,
    advice: 'Correct `token_endpoint` in the authorization server’s metadata.',
  }),
  cancelled: (): Failure => ({
    code: 'sign-in-cancelled',
    message: 'You cancelled the sign-in, and the server lets nobody in without one.',
    advice: 'Connect again to sign in, or give an Authorization header.',
  }),
  tooLate: (minutes: number): Failure => ({
    code: 'sign-in-timeout',
    message: `Nobody signed in within ${minutes} minutes.`,
    advice: 'Connect again, and sign in at the address that is shown.',
  }),
  stillRefused: (): Failure => ({
    code: 'token-rejected',
    message: 'The server refuses the very token that its authorization server has just issued for it.',
    advice: 'Check that the server accepts tokens of this issuer and audience: its own log should say why not.',
  }),
  scope: (scope: string | undefined): Failure => ({
    code: 'scope-refused',
    message:
      scope === undefined
        ? 'The server says that the token covers too little, but not what it should cover.'
        : `The server wants the scopes ${quoted(scope)}, which were asked for already, and the token is still not enough.`,
    advice: 'Check whether this account may have them, and that the server and its authorization server mean the same.',
  }),
  internal: (why: string): Failure => ({
    code: 'authorization-failed',
    message: `Authorization failed: ${why}.`,
    advice: 'Look at its requests in the message log.',
  }),
} as const;

/** Throws one of them. */
export function fail(failure: Failure): never {
  throw new ConnectionError(failure);
}
