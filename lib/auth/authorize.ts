import {
  exchangeAuthorization,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  type OAuthTokens,
  refreshAuthorization,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import type { Challenge } from '@/lib/transports/challenge';
import { maskedUrl } from '@/lib/transports/masked-url';
import type { ClientSettings } from '@/lib/wire/client-settings';
import { headerProblem } from '@/lib/wire/header-fields';
import { isFailure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { signInUrlProblem } from '@/lib/wire/sign-in-url';
import { FAILURES, fail } from './authorization-failures';
import { clientIdentity } from './client-identity';
import type { ClientIdentity, Credentials, Grant } from './credentials';
import { type Discovered, discover } from './discovery';
import { type FetchLike, type OAuthLink, oauthFetch } from './oauth-fetch';
import type { SignInDesk } from './sign-in-desk';

/** What is to be authorized, and with what. */
export interface AuthorizationRequest extends OAuthLink {
  readonly challenge: Challenge;
  readonly settings: ClientSettings;
  readonly store: Credentials;
  /** Settings that must not share credentials. */
  readonly owner: string;
  readonly desk: SignInDesk;
  /** What the token should cover besides what the server asks for now. */
  readonly wanted: readonly string[];
  /** A refresh token may do. Not when the scopes have to grow (RFC 6749 §6). */
  readonly mayRefresh: boolean;
  /** A person is waited for at this URL; undefined: no more. */
  waits(url: string | undefined): void;
  readonly signal: AbortSignal;
}

/**
 * From a refusal to a token: who authorizes, who we are there, a refresh if that will do, and else a person who signs in.
 * Every request of it is in the log of the connection. Rejects with a ConnectionError.
 */
export async function authorize(request: AuthorizationRequest): Promise<Grant> {
  try {
    return await obtain(request);
  } catch (error) {
    if (isFailure(error)) throw error;
    return fail(FAILURES.internal(error instanceof Error ? error.message.slice(0, 300) : String(error)));
  }
}

async function obtain(request: AuthorizationRequest): Promise<Grant> {
  const { server, challenge, settings, store, owner, desk, wanted, signal } = request;
  const secrets: string[] = settings.clientSecret === undefined ? [] : [settings.clientSecret];
  const ask = oauthFetch(request, secrets, signal);
  const found = await discover(server, challenge, ask);
  const scope = scopeFor(found, settings, challenge, wanted);
  const redirectUri = await desk.redirectUri();
  const identify = async (): Promise<ClientIdentity> => {
    const client = await clientIdentity(found, { server, settings, store, owner, redirectUri, scope }, ask);
    if (client.client_secret !== undefined) secrets.push(client.client_secret);
    return client;
  };
  const client = await identify();
  const { issuer, resource } = found;
  const known = store.granted(owner, {
    issuer,
    clientId: client.client_id,
    ...(resource !== undefined && { resource }),
  });
  if (known !== undefined) secrets.push(known.accessToken, known.refreshToken ?? '');
  const renewed = request.mayRefresh && known ? await refresh(known, found, client, request, ask) : undefined;
  if (renewed !== undefined) return renewed;
  // Once more, since the refresh may have shown that the client is no longer known there.
  return signIn(request, { found, client: await identify(), redirectUri, scope, secrets, ask });
}

/** The person's own choice, what the refusal names, what the server knows, or nothing (MCP, scope selection). */
function scopeFor(
  { scopes, metadata }: Discovered,
  settings: ClientSettings,
  challenge: Challenge,
  wanted: readonly string[],
): string | undefined {
  const named = settings.scope ?? challenge.scope ?? (scopes && scopes.length > 0 ? scopes.join(' ') : undefined);
  const all = new Set([...wanted, ...words(named)]);
  // Only with it do OpenID providers issue refresh tokens; one that doesn't list it may refuse it.
  const offline = settings.scope === undefined && metadata?.scopes_supported?.includes('offline_access');
  if (all.size > 0 && offline) all.add('offline_access');
  return all.size === 0 ? undefined : [...all].join(' ');
}

/** Scopes of a text with spaces between. */
export function words(scope: string | undefined): readonly string[] {
  return scope?.split(/\s+/).filter((word) => word !== '') ?? [];
}

/** undefined if nothing came of it and a person has to sign in again. */
async function refresh(
  known: Grant,
  { authorizationServer, metadata, issuer, resource }: Discovered,
  client: ClientIdentity,
  { store, owner }: AuthorizationRequest,
  ask: FetchLike,
): Promise<Grant | undefined> {
  if (known.refreshToken === undefined) return undefined;
  try {
    const tokens = await refreshAuthorization(authorizationServer, {
      ...(metadata && { metadata }),
      clientInformation: client,
      refreshToken: known.refreshToken,
      ...(resource !== undefined && { resource }),
      fetchFn: ask,
    });
    return grantOf(tokens, { ...known, issuer, by: 'refresh' });
  } catch (error) {
    if (error instanceof InsecureTokenEndpointError) return fail(FAILURES.insecureToken(error.message));
    if (isFailure(error)) throw error;
    // Who lost a race: a refresh token may be good only once, and another connection has used it.
    const now = store.granted(owner, known);
    if (now !== undefined && now !== known) return now;
    if (isForgottenClient(error)) store.dropClients(issuer);
    if (isFinal(error)) store.drop(owner, known);
    return undefined;
  }
}

/** The authorization server does not know the client, or not for this. */
function isForgottenClient(error: unknown): boolean {
  return error instanceof OAuthError && (error.code === 'invalid_client' || error.code === 'unauthorized_client');
}

/** False for trouble of the authorization server itself, after which the refresh token may be good again. */
function isFinal(error: unknown): boolean {
  const passing = ['server_error', 'temporarily_unavailable', 'too_many_requests'];
  return error instanceof OAuthError && !passing.includes(error.code);
}

interface Prepared {
  readonly found: Discovered;
  readonly client: ClientIdentity;
  readonly redirectUri: string;
  readonly scope: string | undefined;
  /** Grows: what is in it is not shown. */
  readonly secrets: string[];
  readonly ask: FetchLike;
}

async function signIn(request: AuthorizationRequest, prepared: Prepared): Promise<Grant> {
  const { found, client, redirectUri, scope, secrets } = prepared;
  const { authorizationServer, metadata, issuer, resource } = found;
  const state = randomState();
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServer, {
    ...(metadata && { metadata }),
    clientInformation: client,
    redirectUrl: redirectUri,
    ...(scope !== undefined && { scope }),
    state,
    ...(resource !== undefined && { resource }),
  });
  const url = authorizationUrl.href;
  const problem = signInUrlProblem(url);
  if (problem !== undefined) fail(FAILURES.signInUrl(url, problem));
  secrets.push(state, codeVerifier);
  const answer = await person(request, { url, state, issuer, scopes: words(scope) });
  const code = codeIn(answer, metadata);
  secrets.push(code);
  const tokens = await exchange(prepared, code, codeVerifier, answer.get('iss') ?? undefined, request.store);
  const facts = { issuer, clientId: client.client_id, scopes: words(scope), by: 'sign-in' as const };
  return grantOf(tokens, { ...facts, ...(resource !== undefined && { resource }) });
}

/** Waits for the person, in the open. */
async function person(
  { desk, sink, clock, store, waits, signal }: AuthorizationRequest,
  signIn: Parameters<SignInDesk['callback']>[0],
): Promise<URLSearchParams> {
  const { url, issuer, scopes } = signIn;
  const waiting = new AbortController();
  const stop = (): void => waiting.abort();
  let late = false;
  const callOff = clock.after(LIMITS.signInMs, () => {
    late = true;
    stop();
  });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  sink.lifecycle({ event: 'authorization', phase: 'needed', issuer, scopes, url: maskedUrl(url) });
  waits(url);
  try {
    return await desk.callback(signIn, waiting.signal);
  } catch (error) {
    // Nobody came back, perhaps since the client is not known there any more: the next sign-in registers a new one.
    store.dropClients(issuer);
    if (late) return fail(FAILURES.tooLate(LIMITS.signInMs / 60_000));
    if (signal.aborted) return fail(FAILURES.cancelled());
    throw error;
  } finally {
    callOff();
    signal.removeEventListener('abort', stop);
    waits(undefined);
  }
}

/** The code of a callback. Who sent it is checked first: only then do its words mean anything (RFC 9207). */
function codeIn(answer: URLSearchParams, metadata: Discovered['metadata']): string {
  try {
    validateAuthorizationResponseIssuer({
      iss: answer.get('iss') ?? undefined,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
  } catch (error) {
    if (!(error instanceof IssuerMismatchError)) throw error;
    return fail(FAILURES.callbackIssuer(error.expected ?? '', error.received));
  }
  const error = answer.get('error');
  if (error !== null) return fail(FAILURES.denied(error, answer.get('error_description')));
  return answer.get('code') ?? fail(FAILURES.noCode());
}

async function exchange(
  { found, client, redirectUri, ask }: Prepared,
  code: string,
  codeVerifier: string,
  iss: string | undefined,
  store: Credentials,
): Promise<OAuthTokens> {
  const { authorizationServer, metadata, resource, issuer } = found;
  try {
    return await exchangeAuthorization(authorizationServer, {
      ...(metadata && { metadata }),
      clientInformation: client,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
      codeVerifier,
      redirectUri,
      ...(resource !== undefined && { resource }),
      fetchFn: ask,
    });
  } catch (error) {
    if (error instanceof InsecureTokenEndpointError) return fail(FAILURES.insecureToken(error.message));
    if (!(error instanceof OAuthError)) {
      if (isFailure(error)) throw error;
      return fail(FAILURES.token(issuer, 'its answer is no token response', ''));
    }
    if (isForgottenClient(error)) store.dropClients(issuer);
    return fail(FAILURES.token(issuer, error.code, error.message));
  }
}

type Facts = Omit<Grant, 'accessToken'>;

function grantOf(tokens: OAuthTokens, facts: Facts): Grant {
  const { access_token: accessToken, token_type: type, refresh_token: refreshToken, scope } = tokens;
  if (type.toLowerCase() !== 'bearer') fail(FAILURES.tokenType(facts.issuer, type));
  if (accessToken === '' || headerProblem('Authorization', accessToken) !== undefined) {
    fail(FAILURES.token(facts.issuer, 'the token can not be sent in a header', ''));
  }
  return {
    ...facts,
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    scopes: scope === undefined ? facts.scopes : words(scope),
  };
}

/** 256 bits, for one use. */
function randomState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
