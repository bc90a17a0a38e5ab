import { typeWords } from '@/lib/json/type-words';
import { maskedUrl } from '@/lib/transports/masking';
import { ConnectionError } from '@/lib/transports/transport';
import type { Failure } from '@/lib/wire/lifecycle';
import type { DocumentKind } from './document-kinds';

const ADD_HEADER = 'Add an Authorization header with a token that the server accepts.';

/** Quotes text from a server, shortened. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 300));
}

/** Quotes a URL from a server, with secrets masked. */
function quotedUrl(url: string): string {
  // A backslash ends the host like a slash. Text between a backslash and an @ is therefore not a password, and must be
  // shown.
  const [, start = url, rest = ''] = /^([^?#\\]*)(\\.*)$/s.exec(url) ?? [];
  return quoted(maskedUrl(start) + maskedUrl(rest));
}

/** All failures of an authorization, to throw with {@link fail}. */
export const FAILURES = {
  noOAuth: (server: string): Failure => ({
    code: 'authorization-unexplained',
    message: `${new URL(server).origin} requires authorization but supports no known method: it has no OAuth metadata and no client registration.`,
    advice: ADD_HEADER,
  }),
  notJson: ({ code, name, spec }: DocumentKind, url: string): Failure => ({
    code,
    message: `The ${name} at ${quotedUrl(url)} is not JSON.`,
    advice: `Answer with a JSON object (${spec}).`,
  }),
  notObject: ({ code, name, spec }: DocumentKind, url: string, value: unknown): Failure => ({
    code,
    message: `The ${name} at ${quotedUrl(url)} is ${typeWords(value)}, expected an object.`,
    advice: `Answer with a JSON object (${spec}).`,
  }),
  noMember: ({ code, name, spec }: DocumentKind, url: string, member: string): Failure => ({
    code,
    message: `The ${name} at ${quotedUrl(url)} has no \`${member}\`.`,
    advice: `Add \`${member}\` (${spec}).`,
  }),
  wrongMember: (
    { code, name, spec }: DocumentKind,
    url: string,
    member: string,
    value: unknown,
    expected: string,
  ): Failure => ({
    code,
    message: `In the ${name} at ${quotedUrl(url)}, \`${member}\` is ${typeof value === 'string' ? quotedUrl(value) : typeWords(value)}, expected ${expected}.`,
    advice: `Correct \`${member}\` (${spec}).`,
  }),
  noAuthorizationServers: ({ code, name }: DocumentKind, url: string, isEmpty: boolean): Failure => ({
    code,
    message: `${isEmpty ? 'In the' : 'The'} ${name} at ${quotedUrl(url)}${isEmpty ? ', `authorization_servers` is empty' : ' has no `authorization_servers`'}, so clients can’t find out where to get a token.`,
    advice: 'Add `authorization_servers` with the issuer URL of the authorization server. MCP requires at least one.',
  }),
  documentStatus: ({ code, name, spec }: DocumentKind, url: string, status: number): Failure => ({
    code,
    message: `A request for the ${name} at ${quotedUrl(url)} was answered with HTTP ${status}.`,
    advice:
      status === 401 || status === 403
        ? `Serve it to everybody, without a token (${spec}).`
        : `Serve it at this URL with HTTP 200 (${spec}), or name the URL where it is.`,
  }),
  guardedMetadata: (url: string): Failure => ({
    code: 'authorization-unexplained',
    message: `${new URL(url).origin} requires authorization, and answered HTTP 401 also at ${quotedUrl(url)}, where its OAuth metadata would be.`,
    advice:
      'If it expects a key, add the header with that key. If it supports OAuth, make it serve its metadata to everybody (RFC 8414, section 2).',
  }),
  noServerMetadata: (issuer: string): Failure => ({
    code: 'authorization-metadata',
    message: `The server names the authorization server ${quotedUrl(issuer)}, which has no metadata at any well-known URL.`,
    advice: 'Check `authorization_servers` in the server’s metadata, and that the authorization server runs.',
  }),
  resource: (named: string, server: string): Failure => ({
    code: 'resource-mismatch',
    message: `The server’s metadata is for ${quotedUrl(named)} instead of ${maskedUrl(server)}, so authorization was stopped.`,
    advice: 'In its protected resource metadata, set `resource` to the URL that clients connect to.',
  }),
  metadataIssuer: (expected: string, received: string): Failure => ({
    code: 'issuer-mismatch',
    message: `The authorization server at ${quotedUrl(expected)} names another issuer: ${quotedUrl(received)}.`,
    advice: 'In its metadata, set `issuer` to the exact URL that the server lists in `authorization_servers`.',
  }),
  callbackIssuer: (expected: string, received: string | undefined): Failure => ({
    code: 'issuer-mismatch',
    message: `The sign-in at ${quotedUrl(expected)} came back ${received === undefined ? 'without an issuer' : `from the issuer ${quotedUrl(received)}`}, so its code was not used.`,
    advice: 'Make the authorization server send `iss` exactly as in its metadata (RFC 9207), then sign in again.',
  }),
  pkce: (issuer: string): Failure => ({
    code: 'no-pkce',
    message: `The authorization server ${issuer} does not declare PKCE with S256, which a safe sign-in needs.`,
    advice: 'In its metadata, add S256 to `code_challenge_methods_supported`.',
  }),
  responseTypes: (issuer: string): Failure => ({
    code: 'no-code-flow',
    message: `The authorization server ${issuer} does not declare the response type "code", which a sign-in needs.`,
    advice: 'In its metadata, add "code" to `response_types_supported`.',
  }),
  signInUrl: (url: string, why: string): Failure => ({
    code: 'authorization-url-refused',
    message: `The authorization server names the sign-in page ${quotedUrl(url)}, ${why}, so it was not opened.`,
    advice: 'Correct `authorization_endpoint` in the authorization server’s metadata. It must be https.',
  }),
  notSignedIn: (issuer: string): Failure => ({
    code: 'sign-in-needed',
    message: `The server requires a sign-in at ${issuer}. Its OAuth metadata was read, and nothing was registered.`,
    advice: 'To sign in and go on, add `--auth sign-in`.',
  }),
  noMetadata: (issuer: string): Failure => ({
    code: 'sign-in-needed',
    message: `The server requires a sign-in, but no OAuth metadata was found for ${issuer}. Nothing was registered.`,
    advice:
      'Add an Authorization header with a token that the server accepts. Or add `--auth sign-in`, which tries the usual addresses.',
  }),
  otherResource: (
    named: string,
    server: string,
    { message, advice }: Failure,
  ): Pick<Failure, 'message' | 'advice'> => ({
    message: `The server’s metadata is for ${quotedUrl(named)} instead of ${maskedUrl(server)}, which some clients refuse. ${message}`,
    advice: `In its protected resource metadata, set \`resource\` to the URL that clients connect to (RFC 9728, section 3.3). ${advice}`,
  }),
  noClient: (issuer: string, redirectUri: string): Failure => ({
    code: 'no-client',
    message: `The authorization server ${issuer} has no client registration, so mcp-inspect needs a client id.`,
    advice: `Register a client there with the redirect URI ${redirectUri}, then enter its client id.`,
  }),
  registration: (issuer: string, status: number, said: string): Failure => ({
    code: 'registration-refused',
    message: `The authorization server ${issuer} refused to register mcp-inspect: HTTP ${status}${said === '' ? '' : `, ${quoted(said)}`}.`,
    advice: 'Register a client there yourself, then enter its client id.',
  }),
  otherIssuer: (clientId: string, known: string, issuer: string): Failure => ({
    code: 'issuer-changed',
    message: `The client id ${quoted(clientId)} belongs to ${known}, but the server now names ${issuer}, so mcp-inspect did not send the client id.`,
    advice:
      'If the server really moved, sign out, then connect again with a client id from the new authorization server.',
  }),
  unwantedIssuer: (wanted: string, issuer: string): Failure => ({
    code: 'issuer-changed',
    message: `The server names the authorization server ${quotedUrl(issuer)}, not ${quotedUrl(wanted)}, so nothing was sent to it.`,
    advice: 'Check the server. If it is right, change the issuer in the settings.',
  }),
  denied: (error: string, description: string | null): Failure => ({
    code: 'sign-in-refused',
    message: `The authorization server ended the sign-in: ${quoted(error)}${description ? `, ${quoted(description)}` : ''}.`,
    advice: 'Connect again to try once more.',
  }),
  noCode: (): Failure => ({
    code: 'sign-in-refused',
    message: 'The sign-in came back with neither a code nor an error.',
    advice: 'Check the authorization server’s own log.',
  }),
  token: (issuer: string, error: string, description: string): Failure => ({
    code: 'token-refused',
    message: `The authorization server ${issuer} issued no token: ${quoted(error)}${description === '' || description === error ? '' : `, ${quoted(description)}`}.`,
    advice: 'Check the log of the authorization server, then connect again.',
  }),
  tokenType: (issuer: string, type: string): Failure => ({
    code: 'token-type',
    message: `The authorization server ${issuer} issued a token of type ${quoted(type)}, which is not a bearer token.`,
    advice: 'Make the authorization server issue bearer tokens.',
  }),
  proofs: (issuer: string, type: string): Failure => ({
    code: 'token-type',
    message: `The authorization server ${issuer} issued a token of type ${quoted(type)} in place of a DPoP token.`,
    advice: 'Make the authorization server bind tokens to the key of a DPoP proof (RFC 9449), or turn DPoP off.',
  }),
  identityProvider: (idp: string, why: string): Failure => ({
    code: 'identity-provider',
    message: `The identity provider ${quotedUrl(idp)} did not vouch for the user: ${quoted(why)}.`,
    advice: 'The ID token in the token file may have expired.',
  }),
  tokenFile: (path: string): Failure => ({
    code: 'token-file',
    message: `${quoted(path)} does not hold a JWT, so nothing was sent.`,
    advice: 'Name the file with the ID token of the user, or the token of the workload.',
  }),
  keyFile: (path: string): Failure => ({
    code: 'key-file',
    message: `${quoted(path)} is not a private key in PKCS #8 (PEM).`,
    advice: 'Convert it: `openssl pkcs8 -topk8 -nocrypt -in KEY -out FILE`.',
  }),
  keyAlgorithm: (algorithms: readonly string[]): Failure => ({
    code: 'key-file',
    message: `The key in the key file fits none of the algorithms that the authorization server accepts: ${quoted(algorithms.join(', '))}.`,
    advice: 'Use a key for one of them.',
  }),
  noFiles: (): Failure => ({
    code: 'no-files',
    message: 'A direct connection can’t read key and token files.',
    advice: 'Connect via proxy.',
  }),
  insecureToken: (url: string): Failure => ({
    code: 'authorization-url-refused',
    message: `The token endpoint ${quoted(url)} is neither https nor on this machine, so nothing was sent to it.`,
    advice: 'Correct `token_endpoint` in the authorization server’s metadata.',
  }),
  cancelled: (): Failure => ({
    code: 'sign-in-cancelled',
    message: 'You cancelled the sign-in, which the server requires.',
    advice: 'Connect again to sign in, or add an Authorization header.',
  }),
  tooLate: (minutes: number): Failure => ({
    code: 'sign-in-timeout',
    message: `Nobody signed in within ${minutes} minutes.`,
    advice: 'Connect again and open the sign-in page.',
  }),
  stillRefused: (): Failure => ({
    code: 'token-rejected',
    message: 'The server refused the token that its authorization server had just issued.',
    advice: 'Check the server’s own log, and that it accepts tokens of this issuer and audience.',
  }),
  scope: (scope: string | undefined): Failure => ({
    code: 'scope-refused',
    message:
      scope === undefined
        ? 'The server needs a token with more scopes, but does not name them.'
        : `The server needs the scopes ${quoted(scope)}, and refused a token that was requested with them.`,
    advice: 'Check that your account may have these scopes, and that both servers use the same scope names.',
  }),
  noResourceMetadata: (server: string): Failure => ({
    code: 'no-resource-metadata',
    message: `${new URL(server).origin} has no protected resource metadata at any well-known URL.`,
    advice: 'Serve it at /.well-known/oauth-protected-resource (RFC 9728), and name it in `WWW-Authenticate`.',
  }),
  noToken: (): Failure => ({
    code: 'no-token',
    message: 'This connection has no token.',
    advice: 'Sign in first.',
  }),
  noRefreshToken: (): Failure => ({
    code: 'no-refresh-token',
    message: 'The authorization server issued no refresh token.',
    advice: 'Sign in again to get another token.',
  }),
  noCodeYet: (): Failure => ({
    code: 'no-code',
    message: 'No code was exchanged on this connection.',
    advice: 'Sign in first.',
  }),
  noGrant: (): Failure => ({
    code: 'no-grant',
    message: 'This connection signs in with a person.',
    advice: 'Choose a grant in the connect form, or run the step "Sign in".',
  }),
  ownClient: (clientId: string): Failure => ({
    code: 'own-client',
    message: `This connection uses your client id ${quoted(clientId)}, so mcp-inspect does not register.`,
    advice: 'Connect without a client id to register.',
  }),
  noRevocation: (issuer: string): Failure => ({
    code: 'no-revocation',
    message: `The authorization server ${issuer} names no revocation endpoint.`,
    advice: 'Add `revocation_endpoint` to its metadata (RFC 7009).',
  }),
  revocation: (issuer: string, status: number, said: string): Failure => ({
    code: 'revocation-refused',
    message: `The authorization server ${issuer} did not revoke the token: HTTP ${status}${said === '' ? '' : `, ${quoted(said)}`}.`,
    advice: 'Check the log of the authorization server.',
  }),
  busy: (): Failure => ({
    code: 'authorization-busy',
    message: 'Another step of authorization is running.',
    advice: 'Wait until it is over, or cancel the sign-in.',
  }),
  internal: (why: string): Failure => ({
    code: 'authorization-failed',
    message: `Authorization failed: ${why}.`,
    advice: 'Check the log of the authorization server.',
  }),
} as const;

export function fail(failure: Failure): never {
  throw new ConnectionError(failure);
}
