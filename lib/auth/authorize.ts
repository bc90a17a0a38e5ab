import {
  DpopSession,
  exchangeAuthorization,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  type OAuthTokens,
  refreshAuthorization,
  resourceUrlFromServerUrl,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import type { Challenge } from '@/lib/transports/challenge';
import { maskedUrl } from '@/lib/transports/masking';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import { headerProblem } from '@/lib/wire/header-fields';
import { MASK } from '@/lib/wire/http-frame';
import { type Failure, isFailure } from '@/lib/wire/lifecycle';
import { signInUrlProblem } from '@/lib/wire/url';
import { FAILURES, fail } from './authorization-failures';
import { type ReadSecret, requestClientGrant } from './client-grants';
import { clientIdentity } from './client-identity';
import type { ClientIdentity, Credentials, Grant, SignIn, SignInCallbacks } from './credentials';
import { type DiscoveredIssuer, discoverServer, type ResourceMetadata, readResourceMetadata } from './discovery';
import { DOCUMENTS } from './document-kinds';
import { ADDRESS, TEXT, TEXTS, tokenFetch } from './oauth-document';
import { type FetchLike, type OAuthLink, oauthFetch } from './oauth-fetch';
import { forSdk } from './sdk-metadata';
import { decodeJwt, grantSecrets } from './token-facts';

/** Milliseconds that a person may take to sign in. */
const SIGN_IN_MS = 10 * 60_000;

/** Results of earlier steps of a connection, so that each step can be run alone. Only in memory. */
export interface FlowMemory {
  /** The last metadata of the MCP server. */
  resource?: ResourceMetadata | undefined;
  /** The last metadata of its authorization server. */
  found?: DiscoveredIssuer;
  /** The last code, which the authorization server has to accept only once. */
  used?: UsedCode;
}

/** A code that was exchanged for a token. */
interface UsedCode {
  readonly prepared: Prepared;
  readonly code: string;
  readonly codeVerifier: string;
  readonly iss: string | undefined;
}

/** One authorization of a connection. */
export interface AuthorizationRequest extends OAuthLink {
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
  readonly memory: FlowMemory;
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
  const { server, challenge, settings, store, owner, signIn, scopes, memory, signal } = request;
  const { grant } = settings;
  const secrets: string[] = settings.clientSecret === undefined ? [] : [settings.clientSecret];
  const ask = oauthFetch(request, secrets, signal);
  memory.resource = await readResourceMetadata(server, challenge, ask);
  const found = await discoverServer(server, memory.resource, ask, grant === undefined);
  memory.found = found;
  requireWantedIssuer(found, settings);
  const scope = scopeFor(found, settings, challenge, scopes);
  const dpop = await keyFor(request, found);
  if (grant !== undefined) return grantWithoutPerson(request, { found, scope, secrets, ask, dpop });
  const current = store.currentGrant(server, owner);
  if (request.mayRefresh && current?.client && current.issuer === found.issuer) {
    secrets.push(current.accessToken, current.refreshToken ?? '', current.client.client_secret ?? '');
    // Its client may have another redirect URI than that of this run, which a refresh does not need.
    const renewed = await refresh(current, found, current.client, request, ask);
    if (renewed !== undefined) return renewed;
  }
  if (signIn.onlyReads) return fail(notSignedIn(found, request));
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

/** Returns why no sign-in was begun: because that was not wanted, or because it could not succeed. */
function notSignedIn({ issuer, metadata, resource }: DiscoveredIssuer, request: AuthorizationRequest): Failure {
  const { settings, server, challenge } = request;
  const knowsClient =
    settings.clientId !== undefined ||
    (settings.metadataUrl !== undefined && metadata?.member('client_id_metadata_document_supported') === true);
  const canRegister = metadata === undefined || metadata.member('registration_endpoint') !== undefined;
  if (!knowsClient && !canRegister) return FAILURES.noClient(issuer, CALLBACK_EXAMPLE);
  const failure = metadata === undefined ? FAILURES.noMetadata(issuer) : FAILURES.notSignedIn(issuer);
  const expected = resourceUrlFromServerUrl(server).href;
  // Metadata that the server names must be for this very URL. Like the official SDK, we accept a parent of it.
  const isOther = challenge.resourceMetadata !== undefined && resource !== undefined && hrefOf(resource) !== expected;
  return isOther ? { ...failure, ...FAILURES.otherResource(resource, expected, failure) } : failure;
}

function hrefOf(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

/** The form of our redirect URI without a page. The port is a new one in each run. */
const CALLBACK_EXAMPLE = 'http://127.0.0.1:PORT/oauth/callback';

/** Requests a token by the grant in the settings. Rejects with a ConnectionError. */
export async function grantWithoutPerson(
  { settings, readSecret, store, server }: AuthorizationRequest,
  { found, scope, secrets, ask, dpop }: Omit<Prepared, 'client' | 'redirectUri'>,
): Promise<Grant> {
  if (!readSecret) return fail(FAILURES.noFiles());
  const onSecret = (value: string): void => void secrets.push(value);
  const own = { ...settings, grant: settings.grant! };
  // The first issuer that a server names in a run is the only one that gets the secret.
  const name = settings.clientId ?? `${own.grant} ${settings.tokenFile}`;
  const known = store.issuerOf(server, name);
  if (known !== undefined && known !== found.issuer) fail(FAILURES.otherIssuer(name, known, found.issuer));
  store.bind(server, name, found.issuer);
  const tokens = await requestClientGrant({ settings: own, found, scope, dpop, ask, readSecret, onSecret });
  return grantOf(tokens, factsOf(found, settings.clientId ?? '', scope, 'client', dpop));
}

/** Throws if the server names another issuer than the one that the user wants. */
export function requireWantedIssuer({ issuer }: DiscoveredIssuer, settings: ClientSettings): void {
  if (settings.issuer !== undefined && settings.issuer !== issuer) {
    fail(FAILURES.unwantedIssuer(settings.issuer, issuer));
  }
}

/** Returns the key to bind tokens to; undefined for bearer tokens. */
export async function keyFor(
  { challenge, settings, store, owner }: AuthorizationRequest,
  found: DiscoveredIssuer,
): Promise<Grant['dpop']> {
  return needsProofs(found, challenge, settings) ? store.keyFor(owner, found.issuer, newKey) : undefined;
}

/** Returns true if tokens have to be bound to a key: the server asks for that, or the user does (RFC 9449). */
function needsProofs(found: DiscoveredIssuer, challenge: Challenge, { dpop }: ClientSettings): boolean {
  return dpop === 'always' || found.needsProofs === true || challenge.scheme?.toLowerCase() === 'dpop';
}

const newKey = (): Promise<DpopSession> => DpopSession.create();

function factsOf(
  { issuer, resource }: DiscoveredIssuer,
  clientId: string,
  scope: string | undefined,
  by: Grant['by'],
  dpop: Grant['dpop'],
): Facts {
  return {
    issuer,
    clientId,
    scopes: scopeList(scope),
    by,
    ...(resource !== undefined && { resource }),
    ...(dpop && { dpop }),
  };
}

/**
 * Returns the scopes to request: the user's setting, else those of the refusal, else all of the server's (MCP, scope
 * selection).
 */
export function scopeFor(
  { scopes, metadata }: DiscoveredIssuer,
  settings: ClientSettings,
  challenge: Challenge,
  further: readonly string[],
): string | undefined {
  const named = settings.scope ?? challenge.scope ?? (scopes && scopes.length > 0 ? scopes.join(' ') : undefined);
  const all = new Set([...further, ...scopeList(named)]);
  // OpenID providers issue refresh tokens only for this scope. A server that doesn't list it may refuse it.
  const offline =
    settings.scope === undefined && metadata?.optional('scopes_supported', TEXTS)?.includes('offline_access');
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
  found: DiscoveredIssuer,
  client: ClientIdentity,
  { store, owner }: AuthorizationRequest,
  ask: FetchLike,
): Promise<Grant | undefined> {
  if (known.refreshToken === undefined) return undefined;
  const { issuer } = found;
  try {
    return await renew(known, found, client, ask);
  } catch (error) {
    if (error instanceof InsecureTokenEndpointError) return fail(FAILURES.insecureToken(error.message));
    if (isFailure(error)) {
      // Its next response would be the same, so a person has to sign in next time.
      if (error.code === DOCUMENTS.token.code) store.dropGrant(owner, known);
      throw error;
    }
    // A refresh token may work only once, and another connection may have used it first.
    const now = store.grantFor(owner, known);
    if (now !== undefined && now !== known) return now;
    if (isForgottenClient(error)) store.dropClients(issuer);
    if (isFinal(error)) store.dropGrant(owner, known);
    return undefined;
  }
}

/** Sends the refresh token. Rejects with an error of the SDK, or a ConnectionError. */
export async function renew(
  known: Grant,
  { authorizationServer, metadata, issuer, resource }: DiscoveredIssuer,
  client: ClientIdentity,
  ask: FetchLike,
): Promise<Grant> {
  const tokens = await refreshAuthorization(authorizationServer, {
    ...(metadata && { metadata: forSdk(metadata) }),
    clientInformation: client,
    refreshToken: known.refreshToken ?? '',
    ...(resource !== undefined && { resource }),
    ...(known.dpop && { dpop: known.dpop }),
    fetchFn: tokenFetch(ask),
  });
  const { expiresAt: _, ...facts } = known;
  return grantOf(tokens, { ...facts, issuer, by: 'refresh' });
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

/** The parts that a sign-in needs. */
export interface Prepared {
  readonly found: DiscoveredIssuer;
  readonly client: ClientIdentity;
  readonly redirectUri: string;
  readonly scope: string | undefined;
  /** Secrets to mask in the log. More are added during the flow. */
  readonly secrets: string[];
  readonly ask: FetchLike;
  readonly dpop: Grant['dpop'];
}

/** Waits for a person to sign in, and gets a token for the code. Rejects with a ConnectionError. */
export async function requestSignIn(request: AuthorizationRequest, prepared: Prepared): Promise<Grant> {
  const { found, client, redirectUri, scope, secrets } = prepared;
  const { authorizationServer, metadata, issuer, resource } = found;
  const state = randomState();
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServer, {
    ...(metadata && { metadata: forSdk(metadata, metadata.required('authorization_endpoint', ADDRESS)) }),
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
  request.sink.logEvent({ event: 'auth-callback', parameters: shownParameters(answer) });
  const code = codeIn(answer, metadata);
  secrets.push(code);
  const used: UsedCode = { prepared, code, codeVerifier, iss: answer.get('iss') ?? undefined };
  request.memory.used = used;
  return exchangeCode(used, request.store);
}

/** Exchanges a code for a token. Rejects with a ConnectionError. */
export async function exchangeCode(used: UsedCode, store: Credentials): Promise<Grant> {
  const { found, client, scope, dpop } = used.prepared;
  const tokens = await exchange(used.prepared, used.code, used.codeVerifier, used.iss, store);
  return grantOf(tokens, { ...factsOf(found, client.client_id, scope, 'sign-in', dpop), client });
}

/** Parameters of a callback that are logged. Anybody can call it, with any number. */
const MOST_PARAMETERS = 20;
/** Callback parameters to show. Others are masked. */
const SHOWN_PARAMETERS: ReadonlySet<string> = new Set(['iss', 'error', 'error_description', 'error_uri', 'scope']);

function shownParameters(answer: URLSearchParams): readonly (readonly [string, string])[] {
  return [...answer]
    .slice(0, MOST_PARAMETERS)
    .map(([name, value]) => [name.slice(0, 80), SHOWN_PARAMETERS.has(name) ? value.slice(0, 300) : MASK]);
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
function codeIn(answer: URLSearchParams, metadata: DiscoveredIssuer['metadata']): string {
  try {
    validateAuthorizationResponseIssuer({
      iss: answer.get('iss') ?? undefined,
      expectedIssuer: metadata?.required('issuer', TEXT),
      issParameterSupported: metadata?.member('authorization_response_iss_parameter_supported') === true,
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
      ...(metadata && { metadata: forSdk(metadata) }),
      clientInformation: client,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
      codeVerifier,
      redirectUri,
      ...(resource !== undefined && { resource }),
      ...(dpop && { dpop }),
      fetchFn: tokenFetch(ask),
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
  const { expires_in: lifetime, id_token: idText } = tokens;
  if (facts.dpop && type.toLowerCase() !== 'dpop') fail(FAILURES.proofs(facts.issuer, type));
  if (!facts.dpop && type.toLowerCase() !== 'bearer') fail(FAILURES.tokenType(facts.issuer, type));
  if (accessToken === '' || headerProblem('Authorization', accessToken) !== undefined) {
    fail(FAILURES.token(facts.issuer, 'the token is not valid in a header', ''));
  }
  const grant = { ...facts, accessToken, ...(refreshToken !== undefined && { refreshToken }) };
  const idToken = idText === undefined ? undefined : decodeJwt(idText, [idText, ...grantSecrets(grant)]);
  return {
    ...grant,
    ...(lifetime !== undefined && isLifetime(lifetime) && { expiresAt: Date.now() + lifetime * 1000 }),
    ...(idToken && { idToken }),
    scopes: scope === undefined ? facts.scopes : scopeList(scope),
  };
}

/** Returns false for lifetimes that lead to no date. In seconds. */
function isLifetime(seconds: number): boolean {
  return seconds >= 0 && seconds < 1e10;
}

/** Returns 256 random bits, for one use. */
function randomState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
