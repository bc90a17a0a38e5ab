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

/** What an authorization server says of itself; undefined for one of 2025-03-26 that says nothing. */
export type ServerMetadata = Awaited<ReturnType<typeof discoverAuthorizationServerMetadata>>;

/** Who authorizes for a server, and what it is called there. */
export interface Discovered {
  /** As the server names it: what the metadata was looked up by. */
  readonly authorizationServer: string;
  /** Who it is: everything it gives us belongs to this. */
  readonly issuer: string;
  readonly metadata: ServerMetadata;
  /** What tokens are to be for, verbatim (RFC 8707); absent for servers without metadata. */
  readonly resource?: string;
  /** All scopes that the server knows, if it says so. */
  readonly scopes?: readonly string[];
}

/** Asks the server and its authorization server, at every place where the versions of MCP put it. Rejects with a ConnectionError. */
export async function discover(server: string, challenge: Challenge, ask: FetchLike): Promise<Discovered> {
  const protectedResource = await ofResource(server, challenge, ask);
  const named = protectedResource?.authorization_servers?.[0];
  // Before 2025-06-18 the server's own host was the authorization server.
  const authorizationServer = named ?? new URL('/', server).href;
  const metadata = await ofServer(authorizationServer, named !== undefined, ask);
  if (metadata === undefined && named !== undefined) fail(FAILURES.noServerMetadata(named));
  if (metadata !== undefined && !metadata.code_challenge_methods_supported?.includes('S256')) {
    fail(FAILURES.pkce(metadata.issuer));
  }
  return {
    authorizationServer,
    issuer: metadata?.issuer ?? authorizationServer,
    metadata,
    ...(protectedResource && { resource: protectedResource.resource }),
    ...(protectedResource?.scopes_supported && { scopes: protectedResource.scopes_supported }),
  };
}

async function ofResource(
  server: string,
  { resourceMetadata }: Challenge,
  ask: FetchLike,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const told = resourceMetadata !== undefined && URL.canParse(resourceMetadata) ? resourceMetadata : undefined;
  let found: OAuthProtectedResourceMetadata;
  try {
    const options = told === undefined ? {} : { resourceMetadataUrl: told };
    found = await discoverOAuthProtectedResourceMetadata(server, options, told === undefined ? guessing(ask) : ask);
  } catch (error) {
    if (isFailure(error)) throw error;
    // At an address that was only guessed, anything may be.
    if (told === undefined) return undefined;
    return fail(FAILURES.metadata(told, reasonOf(error)));
  }
  const expected = resourceUrlFromServerUrl(server);
  if (!isUrlFor(found.resource, expected)) fail(FAILURES.resource(found.resource, expected.href));
  return found;
}

function isUrlFor(resource: string, expected: URL): boolean {
  return URL.canParse(resource) && checkResourceAllowed({ requestedResource: expected, configuredResource: resource });
}

async function ofServer(authorizationServer: string, named: boolean, ask: FetchLike): Promise<ServerMetadata> {
  if (!URL.canParse(authorizationServer)) fail(FAILURES.metadata(authorizationServer, 'it is no URL'));
  let hindrance: unknown;
  const guess = guessing(ask, (failure) => {
    hindrance ??= failure;
  });
  const checked: FetchLike = async (url, init) => {
    const answer = await guess(url, init);
    if (answer.ok) requireSignInUrl(await answer.clone().text());
    return answer;
  };
  try {
    const found = await discoverAuthorizationServerMetadata(authorizationServer, { fetchFn: checked });
    // Of a server that was named there has to be something, so what was in the way says more than that there is nothing.
    if (found === undefined && named && hindrance !== undefined) throw hindrance;
    return found;
  } catch (error) {
    if (isFailure(error)) throw error;
    if (error instanceof IssuerMismatchError) {
      return fail(FAILURES.metadataIssuer(error.expected ?? authorizationServer, error.received ?? ''));
    }
    return fail(FAILURES.metadata(authorizationServer, reasonOf(error)));
  }
}

/** What an address answers where there is no metadata: none of it says that the network or the server is broken. */
const NOTHING_THERE: ReadonlySet<string> = new Set([
  'body-broken',
  'body-too-large',
  'encoding-unknown',
  'headers-too-large',
  'redirect-loop',
  'redirect-refused',
]);

/** A fetch for addresses that were only guessed: where nothing of use is there, `hindered` is told, and the next is tried. */
function guessing(ask: FetchLike, hindered: (failure: unknown) => void = () => {}): FetchLike {
  return async (url, init) => {
    try {
      return await ask(url, init);
    } catch (error) {
      if (!isFailure(error) || !NOTHING_THERE.has(error.code)) throw error;
      hindered(error);
      return new Response(null, { status: 404 });
    }
  };
}

/** Before anything reads it further, so that what is wrong with it is told in our words. */
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

/** What a schema or a parser has against it, in a few words. */
function reasonOf(error: unknown): string {
  const issues = error instanceof Error && 'issues' in error ? error.issues : undefined;
  if (Array.isArray(issues) && issues.length > 0) {
    const { path, message } = issues[0] as { path?: readonly unknown[]; message?: string };
    return `${path?.join('.') || 'it'}: ${String(message).slice(0, 200)}`;
  }
  if (error instanceof SyntaxError) return 'it is not JSON';
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '').slice(0, 200);
}
