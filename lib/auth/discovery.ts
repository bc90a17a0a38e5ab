import {
  buildDiscoveryUrls,
  checkResourceAllowed,
  LATEST_PROTOCOL_VERSION,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import type { Challenge } from '@/lib/transports/challenge';
import { ConnectionError } from '@/lib/transports/transport';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { signInUrlProblem } from '@/lib/wire/url';
import { FAILURES, fail } from './authorization-failures';
import { DOCUMENTS } from './document-kinds';
import { ADDRESS, OAuthDocument, TEXT, TEXTS } from './oauth-document';
import type { FetchLike } from './oauth-fetch';

/** The authorization server of an MCP server. */
export interface DiscoveredIssuer {
  /** As the MCP server names it. The metadata was looked up at this URL. */
  readonly authorizationServer: string;
  /** Clients and tokens belong to this issuer. */
  readonly issuer: string;
  /** undefined if the authorization server has none, which 2025-03-26 allows. */
  readonly metadata: OAuthDocument | undefined;
  /** The resource to request tokens for, as the server wrote it (RFC 8707). Absent for servers without metadata. */
  readonly resource?: string;
  /** All scopes of the MCP server, if it lists them. */
  readonly scopes?: readonly string[];
  /** The MCP server accepts only tokens that are bound to a key (RFC 9449). */
  readonly needsProofs?: true;
}

/** The parts of an MCP server's metadata that lead to its authorization server. */
export type ResourceMetadata = Pick<DiscoveredIssuer, 'authorizationServer' | 'scopes' | 'needsProofs'> & {
  readonly resource: string;
};

/**
 * Finds the authorization server and its metadata, at every URL that the versions of MCP define. Rejects with a
 * ConnectionError.
 */
export async function discoverServer(
  server: string,
  protectedResource: ResourceMetadata | undefined,
  ask: FetchLike,
  /** A person will sign in, which needs PKCE. */
  signsIn: boolean,
): Promise<DiscoveredIssuer> {
  // Before 2025-06-18 the server's own host was the authorization server.
  const facts = protectedResource ?? { authorizationServer: new URL('/', server).href };
  const { authorizationServer } = facts;
  const metadata = await serverMetadataOf(authorizationServer, protectedResource !== undefined, ask);
  if (metadata === undefined && protectedResource) fail(FAILURES.noServerMetadata(authorizationServer));
  if (metadata) requireUsable(metadata, signsIn);
  return { ...facts, issuer: metadata?.required('issuer', TEXT) ?? authorizationServer, metadata };
}

/** Throws if the metadata lacks what each token needs, or what a sign-in needs. */
function requireUsable(metadata: OAuthDocument, signsIn: boolean): void {
  metadata.required('token_endpoint', ADDRESS);
  if (!signsIn) return;
  const issuer = metadata.required('issuer', TEXT);
  const signInUrl = metadata.required('authorization_endpoint', TEXT);
  const problem = signInUrlProblem(signInUrl);
  if (problem !== undefined) fail(FAILURES.signInUrl(signInUrl, problem));
  const responseTypes = metadata.optional('response_types_supported', TEXTS);
  if (responseTypes && !responseTypes.includes('code')) fail(FAILURES.responseTypes(issuer));
  if (!metadata.optional('code_challenge_methods_supported', TEXTS)?.includes('S256')) fail(FAILURES.pkce(issuer));
}

/** Headers of each request for metadata, as the official SDK sends them. */
const HEADERS = { Accept: 'application/json', 'MCP-Protocol-Version': LATEST_PROTOCOL_VERSION };

/** Reads the metadata of an MCP server. Resolves with undefined if it has none. Rejects with a ConnectionError. */
export async function readResourceMetadata(
  server: string,
  { resourceMetadata }: Challenge,
  ask: FetchLike,
): Promise<ResourceMetadata | undefined> {
  const given = resourceMetadata !== undefined && URL.canParse(resourceMetadata) ? resourceMetadata : undefined;
  const found = given === undefined ? await guessResource(server, ask) : await readResource(given, ask);
  if (!found) return undefined;
  const resource = found.required('resource', TEXT);
  const expected = resourceUrlFromServerUrl(server);
  if (!isUrlFor(resource, expected)) fail(FAILURES.resource(resource, expected.href));
  const scopes = found.optional('scopes_supported', TEXTS);
  return {
    authorizationServer: authorizationServerIn(found),
    resource,
    ...(scopes && { scopes }),
    ...(found.member('dpop_bound_access_tokens_required') === true && { needsProofs: true }),
  };
}

/** Returns the first authorization server. Only that one is used. */
function authorizationServerIn(metadata: OAuthDocument): string {
  const named = metadata.member('authorization_servers');
  const isEmpty = Array.isArray(named) && named.length === 0;
  if (named === undefined || isEmpty) fail(FAILURES.noAuthorizationServers(metadata.kind, metadata.url, isEmpty));
  const [first] = metadata.required('authorization_servers', TEXTS);
  if (URL.canParse(first!)) return first!;
  return fail(FAILURES.wrongMember(metadata.kind, metadata.url, 'authorization_servers[0]', first, ADDRESS.expected));
}

async function readResource(url: string, ask: FetchLike): Promise<OAuthDocument> {
  const answer = await ask(url, { headers: HEADERS });
  if (!answer.ok) fail(FAILURES.documentStatus(DOCUMENTS.resource, url, answer.status));
  return OAuthDocument.read(DOCUMENTS.resource, url, await answer.text());
}

/** Looks for the metadata of an MCP server at its well-known URLs. A guessed URL may answer with anything. */
async function guessResource(server: string, ask: FetchLike): Promise<OAuthDocument | undefined> {
  const { origin, pathname, search } = new URL(server);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const urls = new Set([`${wellKnown}${pathname.replace(/\/$/, '')}${search}`, wellKnown]);
  const guess = guessing(ask);
  for (const url of urls) {
    const answer = await guess(url, { headers: HEADERS });
    const found = answer.ok && OAuthDocument.parse(DOCUMENTS.resource, url, await answer.text());
    if (found instanceof OAuthDocument && hasAny(found, ['resource', 'authorization_servers'])) return found;
  }
  return undefined;
}

function hasAny(document: OAuthDocument, names: readonly string[]): boolean {
  return names.some((name) => document.member(name) !== undefined);
}

function isUrlFor(resource: string, expected: URL): boolean {
  return URL.canParse(resource) && checkResourceAllowed({ requestedResource: expected, configuredResource: resource });
}

/** Reads the metadata of an authorization server at the first well-known URL that has it. */
async function serverMetadataOf(
  authorizationServer: string,
  isNamed: boolean,
  ask: FetchLike,
): Promise<OAuthDocument | undefined> {
  let firstFailure: unknown;
  const onFailure = (failure: unknown): void => {
    firstFailure ??= failure;
  };
  // A named server must have metadata, so the first failure says more than "not found".
  const guess = guessing(ask, isNamed ? onFailure : undefined);
  for (const { url, type } of buildDiscoveryUrls(authorizationServer)) {
    const kind = type === 'oauth' ? DOCUMENTS.server : DOCUMENTS.openid;
    const answer = await guess(url.href, { headers: HEADERS });
    // A server that asks for a key answers so at every path.
    if (answer.status === 401 && !isNamed) onFailure(new ConnectionError(FAILURES.guardedMetadata(url.href)));
    const found = await documentIn(kind, url.href, answer);
    if (found instanceof OAuthDocument) {
      const issuer = found.required('issuer', TEXT);
      if (isSameIssuer(issuer, authorizationServer)) return found;
      fail(FAILURES.metadataIssuer(authorizationServer, issuer));
    }
    if (found) onFailure(new ConnectionError(found));
  }
  if (firstFailure !== undefined) throw firstFailure;
  return undefined;
}

/** Returns the metadata in an answer, why it can't be used, or undefined if there is none at this URL. */
async function documentIn(
  kind: (typeof DOCUMENTS)['server' | 'openid'],
  url: string,
  answer: Response,
): Promise<OAuthDocument | Failure | undefined> {
  const { ok, status } = answer;
  if (ok) {
    const found = OAuthDocument.parse(kind, url, await answer.text());
    // Another document is there, such as an error with HTTP 200.
    const isOther = found instanceof OAuthDocument && !hasAny(found, ['issuer', 'token_endpoint']);
    return isOther ? FAILURES.noMember(kind, url, 'issuer') : found;
  }
  return status === 401 || status >= 500 ? FAILURES.documentStatus(kind, url, status) : undefined;
}

/** Compares issuers (RFC 8414, 3.3). A slash at the end of the named URL may be missing in the metadata. */
function isSameIssuer(issuer: string, named: string): boolean {
  return issuer === named || (named.endsWith('/') && issuer === named.slice(0, -1));
}

/** Failures that only mean that a URL has no metadata, as opposed to a broken network or server. */
const NOTHING_THERE: ReadonlySet<string> = new Set([
  'body-broken',
  'body-too-large',
  'encoding-unknown',
  'headers-too-large',
  'redirect-loop',
  'redirect-refused',
]);

/** Returns a fetch for guessed URLs: reports a failure as 404 and to `onFailure`, so that the next URL is tried. */
function guessing(ask: FetchLike, onFailure: (failure: unknown) => void = () => {}): FetchLike {
  return async (url, init) => {
    try {
      return await ask(url, init);
    } catch (error) {
      if (!isFailure(error) || !NOTHING_THERE.has(error.code)) throw error;
      onFailure(error);
      return new Response(null, { status: 404 });
    }
  };
}
