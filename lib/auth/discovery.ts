import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  IssuerMismatchError,
  type OAuthProtectedResourceMetadata,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client';
import { isObject, own } from '@/lib/json/value';
import type { Challenge } from '@/lib/transports/challenge';
import { isFailure } from '@/lib/wire/lifecycle';
import { signInUrlProblem } from '@/lib/wire/url';
import { FAILURES, fail } from './authorization-failures';
import type { FetchLike } from './oauth-fetch';

/** Metadata of an authorization server. undefined if it has none, which 2025-03-26 allows. */
type ServerMetadata = Awaited<ReturnType<typeof discoverAuthorizationServerMetadata>>;

/** The authorization server of an MCP server. */
export interface Discovered {
  /** As the MCP server names it. The metadata was looked up at this URL. */
  readonly authorizationServer: string;
  /** Clients and tokens belong to this issuer. */
  readonly issuer: string;
  readonly metadata: ServerMetadata;
  /** The resource to request tokens for, as the server wrote it (RFC 8707). Absent for servers without metadata. */
  readonly resource?: string;
  /** All scopes of the MCP server, if it lists them. */
  readonly scopes?: readonly string[];
  /** The MCP server accepts only tokens that are bound to a key (RFC 9449). */
  readonly needsProofs?: true;
}

/** The parts of an MCP server's metadata that lead to its authorization server. */
export type ResourceFacts = Pick<
  OAuthProtectedResourceMetadata,
  'resource' | 'authorization_servers' | 'scopes_supported' | 'dpop_bound_access_tokens_required'
>;

/**
 * Finds the authorization server and its metadata, at every URL that the versions of MCP define. Rejects with a
 * ConnectionError.
 */
export async function discoverServer(
  server: string,
  protectedResource: ResourceFacts | undefined,
  ask: FetchLike,
  /** A person will sign in, which needs PKCE. */
  signsIn: boolean,
): Promise<Discovered> {
  const named = protectedResource?.authorization_servers?.[0];
  // Before 2025-06-18 the server's own host was the authorization server.
  const authorizationServer = named ?? new URL('/', server).href;
  const metadata = await serverMetadataOf(authorizationServer, named !== undefined, ask);
  if (metadata === undefined && named !== undefined) fail(FAILURES.noServerMetadata(named));
  if (signsIn && metadata !== undefined && !metadata.code_challenge_methods_supported?.includes('S256')) {
    fail(FAILURES.pkce(metadata.issuer));
  }
  return {
    authorizationServer,
    issuer: metadata?.issuer ?? authorizationServer,
    metadata,
    ...(protectedResource && { resource: protectedResource.resource }),
    ...(protectedResource?.scopes_supported && { scopes: protectedResource.scopes_supported }),
    ...(protectedResource?.dpop_bound_access_tokens_required === true && { needsProofs: true }),
  };
}

/** Reads the metadata of an MCP server. Resolves with undefined if it has none. Rejects with a ConnectionError. */
export async function readResourceMetadata(
  server: string,
  { resourceMetadata }: Challenge,
  ask: FetchLike,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const given = resourceMetadata !== undefined && URL.canParse(resourceMetadata) ? resourceMetadata : undefined;
  let found: OAuthProtectedResourceMetadata;
  try {
    const options = given === undefined ? {} : { resourceMetadataUrl: given };
    found = await discoverOAuthProtectedResourceMetadata(server, options, given === undefined ? guessing(ask) : ask);
  } catch (error) {
    if (isFailure(error)) throw error;
    // A guessed URL may answer with anything.
    if (given === undefined) return undefined;
    return fail(FAILURES.metadata(given, reasonOf(error)));
  }
  const expected = resourceUrlFromServerUrl(server);
  if (!isUrlFor(found.resource, expected)) fail(FAILURES.resource(found.resource, expected.href));
  return found;
}

function isUrlFor(resource: string, expected: URL): boolean {
  return URL.canParse(resource) && checkResourceAllowed({ requestedResource: expected, configuredResource: resource });
}

async function serverMetadataOf(authorizationServer: string, named: boolean, ask: FetchLike): Promise<ServerMetadata> {
  if (!URL.canParse(authorizationServer)) fail(FAILURES.metadata(authorizationServer, 'it is not a URL'));
  let firstFailure: unknown;
  const guess = guessing(ask, (failure) => {
    firstFailure ??= failure;
  });
  const checked: FetchLike = async (url, init) => {
    const answer = await guess(url, init);
    if (answer.ok) requireSignInUrl(await answer.clone().text());
    return answer;
  };
  try {
    const found = await discoverAuthorizationServerMetadata(authorizationServer, { fetchFn: checked });
    // A named server must have metadata, so the first failure says more than "not found".
    if (found === undefined && named && firstFailure !== undefined) throw firstFailure;
    return found;
  } catch (error) {
    if (isFailure(error)) throw error;
    if (error instanceof IssuerMismatchError) {
      return fail(FAILURES.metadataIssuer(error.expected ?? authorizationServer, error.received ?? ''));
    }
    return fail(FAILURES.metadata(authorizationServer, reasonOf(error)));
  }
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

/** Checks the sign-in URL in metadata before the SDK parses it, so that our own failure is reported. */
function requireSignInUrl(text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  const url = isObject(value) ? own(value, 'authorization_endpoint') : undefined;
  if (typeof url !== 'string') return;
  const problem = signInUrlProblem(url);
  if (problem !== undefined) fail(FAILURES.signInUrl(url, problem));
}

/** Returns in a few words why a schema or a parser rejected the metadata. */
function reasonOf(error: unknown): string {
  const issues = error instanceof Error && 'issues' in error ? error.issues : undefined;
  if (Array.isArray(issues) && issues.length > 0) {
    const { path, message } = issues[0] as { path?: readonly unknown[]; message?: string };
    return `${path?.join('.') || 'it'}: ${String(message).slice(0, 200)}`;
  }
  if (error instanceof SyntaxError) return 'it is not JSON';
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '').slice(0, 200);
}
