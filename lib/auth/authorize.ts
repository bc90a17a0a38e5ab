import {
  DpopSession,
  exchangeAuthorization,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  type OAuthTokens,
  RegistrationRejectedError,
  refreshAuthorization,
  registerClient,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { isObject, own } from '@/lib/json/value';
import type { Challenge } from '@/lib/transports/challenge';
import { maskedUrl } from '@/lib/transports/masking';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import { headerProblem } from '@/lib/wire/header-fields';
import { isFailure } from '@/lib/wire/lifecycle';
import { isLoopbackName, signInUrlProblem } from '@/lib/wire/url';
import { FAILURES, fail } from './authorization-failures';
import { type ReadSecret, requestClientGrant } from './client-grants';
import type { ClientIdentity, Credentials, Grant, SignIn, SignInCallbacks } from './credentials';
import { type Discovered, discover } from './discovery';
import { type FetchLike, type OAuthLink, oauthFetch } from './oauth-fetch';

/** Milliseconds that a person may take to sign in. */
const SIGN_IN_MS = 10 * 60_000;

/** One authorization of a connection. */
interface AuthorizationRequest extends OAuthLink {
  readonly challenge: Challenge;
  readonly settings: ClientSettings;
  readonly store: Credentials;
  /** See {@link Credentials}. */
  readonly owner: string;
  readonly signIn: SignInCallbacks;
  /** Absent where no files can be read. */
  readonly readSecret?: ReadSecret;
  /** Scopes to request in addition to those that the server asks for now. */
  readonly scopes: readonly string[];
  /** False if a refresh token must not be used, because the scopes have to grow (RFC 6749 §6). */
  readonly mayRefresh: boolean;
  /** Called when a person has to sign in at this URL, and with undefined when that is over. */
  onSignIn(url: string | undefined): void;
  readonly signal: AbortSignal;
}

/**
 * Obtains a token after a refusal: finds the authorization server, identifies the client, then refreshes a token or
 * waits for a person to sign in. Logs every request on the connection. Rejects with a ConnectionError.
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
  const { server, challenge, settings, store, owner, signIn, scopes, signal } = request;
  const { grant } = settings;
  const secrets: string[] = settings.clientSecret === undefined ? [] : [settings.clientSecret];
  const ask = oauthFetch(request, secrets, signal);
  const found = await discover(server, challenge, ask, grant === undefined);
  const wanted = settings.issuer;
  if (wanted !== undefined && wanted !== found.issuer) fail(FAILURES.unwantedIssuer(wanted, found.issuer));
  const scope = scopeFor(found, settings, challenge, scopes);
  const dpop = needsProofs(found, challenge, settings) ? await store.keyFor(owner, found.issuer, newKey) : undefined;
  if (grant !== undefined) {
    const { readSecret } = request;
    if (!readSecret) return fail(FAILURES.noFiles());
    const onSecret = (value: string): void => void secrets.push(value);
    const own = { ...settings, grant };
    const name = settings.clientId ?? `${grant} ${settings.tokenFile}`;
    const known = store.issuerOf(server, name);
    if (known !== undefined && known !== found.issuer) fail(FAILURES.otherIssuer(name, known, found.issuer));
    store.bind(server, name, found.issuer);
    const tokens = await requestClientGrant({ settings: own, found, scope, dpop, ask, readSecret, onSecret });
    return grantOf(tokens, factsOf(found, settings.clientId ?? '', scope, 'client', dpop));
  }
  const current = store.currentGrant(server, owner);
  if (request.mayRefresh && current?.client && current.issuer === found.issuer) {
    secrets.push(current.accessToken, current.refreshToken ?? '', current.client.client_secret ?? '');
    // Its client may have another redirect URI than that of this run, which a refresh does not need.
    const renewed = await refresh(current, found, current.client, request, ask);
    if (renewed !== undefined) return renewed;
  }
  const redirectUri = await signIn.redirectUri();
  const identify = async (): Promise<ClientIdentity> => {
    const client = await clientIdentity(found, { server, settings, store, owner, redirectUri, scope }, ask);
    if (client.client_secret !== undefined) secrets.push(client.client_secret);
    return client;
  };
  const client = await identify();
  const { issuer, resource } = found;
  const known = store.grantFor(owner, {
    issuer,
    clientId: client.client_id,
    ...(resource !== undefined && { resource }),
  });
  if (known !== undefined) secrets.push(known.accessToken, known.refreshToken ?? '');
  const renewed =
    request.mayRefresh && known && known !== current ? await refresh(known, found, client, request, ask) : undefined;
  if (renewed !== undefined) return renewed;
  // The refresh may have shown that the client is no longer known, so it is identified again.
  return requestSignIn(request, { found, client: await identify(), redirectUri, scope, secrets, ask, dpop });
}

/** Returns true if tokens have to be bound to a key: the server asks for that, or the user does (RFC 9449). */
function needsProofs(found: Discovered, challenge: Challenge, { dpop }: ClientSettings): boolean {
  return dpop === 'always' || found.needsProofs === true || challenge.scheme?.toLowerCase() === 'dpop';
}

const newKey = (): Promise<DpopSession> => DpopSession.create();

function factsOf(
  { issuer, resource }: Discovered,
  clientId: string,
  scope: string | undefined,
  by: Grant['by'],
  dpop: Grant['dpop'],
): Facts {
  return {
    ...{ issuer, clientId, scopes: scopeList(scope), by },
    ...(resource !== undefined && { resource }),
    ...(dpop && { dpop }),
  };
}

/**
 * Returns the scopes to request: the user's setting, else those of the refusal, else all of the server's (MCP, scope
 * selection).
 */
function scopeFor(
  { scopes, metadata }: Discovered,
  settings: ClientSettings,
  challenge: Challenge,
  further: readonly string[],
): string | undefined {
  const named = settings.scope ?? challenge.scope ?? (scopes && scopes.length > 0 ? scopes.join(' ') : undefined);
  const all = new Set([...further, ...scopeList(named)]);
  // OpenID providers issue refresh tokens only for this scope. A server that doesn't list it may refuse it.
  const offline = settings.scope === undefined && metadata?.scopes_supported?.includes('offline_access');
  if (all.size > 0 && offline) all.add('offline_access');
  return all.size === 0 ? undefined : [...all].join(' ');
}

/** Splits a text of scopes. */
export function scopeList(scope: string | undefined): readonly string[] {
  return scope?.split(/\s+/).filter((word) => word !== '') ?? [];
}

/** Refreshes a token. Resolves with undefined if that failed, so that a person has to sign in again. */
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
      ...(known.dpop && { dpop: known.dpop }),
      fetchFn: ask,
    });
    return grantOf(tokens, { ...known, issuer, by: 'refresh' });
  } catch (error) {
    if (error instanceof InsecureTokenEndpointError) return fail(FAILURES.insecureToken(error.message));
    if (isFailure(error)) throw error;
    // A refresh token may work only once, and another connection may have used it first.
    const now = store.grantFor(owner, known);
    if (now !== undefined && now !== known) return now;
    if (isForgottenClient(error)) store.dropClients(issuer);
    if (isFinal(error)) store.dropGrant(owner, known);
    return undefined;
  }
}

/** Returns true if the authorization server no longer knows the client. */
function isForgottenClient(error: unknown): boolean {
  return error instanceof OAuthError && (error.code === 'invalid_client' || error.code === 'unauthorized_client');
}

/** Returns false for temporary errors, after which the refresh token may work again. */
function isFinal(error: unknown): boolean {
  const temporary = ['server_error', 'temporarily_unavailable', 'too_many_requests'];
  return error instanceof OAuthError && !temporary.includes(error.code);
}

interface Prepared {
  readonly found: Discovered;
  readonly client: ClientIdentity;
  readonly redirectUri: string;
  readonly scope: string | undefined;
  /** Secrets to mask in the log. More are added during the flow. */
  readonly secrets: string[];
  readonly ask: FetchLike;
  readonly dpop: Grant['dpop'];
}

async function requestSignIn(request: AuthorizationRequest, prepared: Prepared): Promise<Grant> {
  const { found, client, redirectUri, scope, secrets, dpop } = prepared;
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
  const answer = await waitForPerson(request, { url, state, issuer, scopes: scopeList(scope) });
  const code = codeIn(answer, metadata);
  secrets.push(code);
  const tokens = await exchange(prepared, code, codeVerifier, answer.get('iss') ?? undefined, request.store);
  return grantOf(tokens, { ...factsOf(found, client.client_id, scope, 'sign-in', dpop), client });
}

/** Logs that a sign-in is needed, and waits for its callback. */
async function waitForPerson(
  { signIn, sink, clock, store, onSignIn, signal }: AuthorizationRequest,
  pending: SignIn,
): Promise<URLSearchParams> {
  const { url, issuer, scopes } = pending;
  const waiting = new AbortController();
  const stop = (): void => waiting.abort();
  let late = false;
  const cancelTimer = clock.after(SIGN_IN_MS, () => {
    late = true;
    stop();
  });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  sink.logEvent({ event: 'authorization', phase: 'needed', issuer, scopes, url: maskedUrl(url) });
  onSignIn(url);
  try {
    return await signIn.waitForCallback(pending, waiting.signal);
  } catch (error) {
    // The client may no longer be known, so the next sign-in registers a new one.
    store.dropClients(issuer);
    if (late) return fail(FAILURES.tooLate(SIGN_IN_MS / 60_000));
    if (signal.aborted) return fail(FAILURES.cancelled());
    throw error;
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', stop);
    onSignIn(undefined);
  }
}

/** Returns the code in a callback. Its issuer is checked first, before anything else in it is trusted (RFC 9207). */
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
  { found, client, redirectUri, ask, dpop }: Prepared,
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
      ...(dpop && { dpop }),
      fetchFn: ask,
    });
  } catch (error) {
    if (error instanceof InsecureTokenEndpointError) return fail(FAILURES.insecureToken(error.message));
    if (!(error instanceof OAuthError)) {
      if (isFailure(error)) throw error;
      return fail(FAILURES.token(issuer, 'invalid token response', ''));
    }
    if (isForgottenClient(error)) store.dropClients(issuer);
    return fail(FAILURES.token(issuer, error.code, error.message));
  }
}

type Facts = Omit<Grant, 'accessToken'>;

function grantOf(tokens: OAuthTokens, facts: Facts): Grant {
  const { access_token: accessToken, token_type: type, refresh_token: refreshToken, scope } = tokens;
  if (facts.dpop && type.toLowerCase() !== 'dpop') fail(FAILURES.proofs(facts.issuer, type));
  if (!facts.dpop && type.toLowerCase() !== 'bearer') fail(FAILURES.tokenType(facts.issuer, type));
  if (accessToken === '' || headerProblem('Authorization', accessToken) !== undefined) {
    fail(FAILURES.token(facts.issuer, 'the token is not valid in a header', ''));
  }
  return {
    ...facts,
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    scopes: scope === undefined ? facts.scopes : scopeList(scope),
  };
}

/** Returns 256 random bits, for one use. */
function randomState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

interface IdentityRequest extends Pick<AuthorizationRequest, 'server' | 'settings' | 'store' | 'owner'> {
  readonly redirectUri: string;
  readonly scope: string | undefined;
}

/**
 * Returns our client identity, in MCP's order of preference: the user's own client id, the URL of a metadata document
 * where the server accepts those, or a new registration. Rejects with a ConnectionError.
 */
async function clientIdentity(found: Discovered, request: IdentityRequest, ask: FetchLike): Promise<ClientIdentity> {
  const { settings, store, owner, server, redirectUri } = request;
  const { issuer, metadata } = found;
  if (settings.clientId !== undefined) {
    const known = store.issuerOf(server, settings.clientId);
    if (known !== undefined && known !== issuer) fail(FAILURES.otherIssuer(settings.clientId, known, issuer));
    store.bind(server, settings.clientId, issuer);
    return {
      client_id: settings.clientId,
      ...(settings.clientSecret !== undefined && { client_secret: settings.clientSecret }),
    };
  }
  if (settings.metadataUrl !== undefined && metadata?.client_id_metadata_document_supported === true) {
    return { client_id: settings.metadataUrl };
  }
  const registered = store.client(issuer, redirectUri, owner);
  if (registered !== undefined) return registered;
  if (metadata !== undefined && metadata.registration_endpoint === undefined) {
    fail(FAILURES.noClient(issuer, redirectUri));
  }
  const client = await register(found, request, ask);
  store.keepClient(issuer, redirectUri, owner, client);
  return client;
}

async function register(found: Discovered, { redirectUri, scope, server }: IdentityRequest, ask: FetchLike) {
  const { authorizationServer, issuer, metadata } = found;
  const native = isLoopbackName(new URL(redirectUri).hostname);
  try {
    return await registerClient(authorizationServer, {
      ...(metadata && { metadata }),
      clientMetadata: {
        client_name: 'mcp-inspect',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: authMethod(metadata?.token_endpoint_auth_methods_supported),
        application_type: native ? 'native' : 'web',
      },
      ...(scope !== undefined && { scope }),
      fetchFn: ask,
    });
  } catch (error) {
    if (isFailure(error)) throw error;
    // A server without metadata offers only registration.
    if (metadata === undefined) return fail(FAILURES.noOAuth(server));
    if (!(error instanceof RegistrationRejectedError)) {
      return fail(FAILURES.internal('the server sent an invalid answer to the registration'));
    }
    return fail(FAILURES.registration(issuer, error.status, saidIn(error.body)));
  }
}

/** A program on the user's machine can't keep a secret, so it uses one only where the server requires it. */
function authMethod(supported: readonly string[] | undefined): string {
  if (supported === undefined || supported.includes('none')) return 'none';
  return ['client_secret_basic', 'client_secret_post'].find((method) => supported.includes(method)) ?? 'none';
}

function saidIn(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    const said = isObject(value) ? (own(value, 'error_description') ?? own(value, 'error')) : undefined;
    return typeof said === 'string' ? said : '';
  } catch {
    return '';
  }
}
