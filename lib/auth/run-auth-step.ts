import { OAuthError } from '@modelcontextprotocol/client';
import type { AuthStep } from '@/lib/wire/auth-step';
import { isFailure } from '@/lib/wire/lifecycle';
import { FAILURES, fail } from './authorization-failures';
import {
  type AuthorizationRequest,
  exchangeCode,
  grantWithoutPerson,
  keyFor,
  type Prepared,
  renew,
  requestSignIn,
  requireWantedIssuer,
  scopeFor,
} from './authorize';
import { clientIdentity, registerAgain } from './client-identity';
import type { Grant } from './credentials';
import { type DiscoveredIssuer, discoverServer, type ResourceMetadata, readResourceMetadata } from './discovery';
import { type FetchLike, oauthFetch } from './oauth-fetch';
import { revokeTokens } from './revocation';
import { grantSecrets } from './token-facts';

/** The steps that are requests of OAuth. The others concern requests of MCP. */
export type OAuthStep = Exclude<AuthStep, 'use' | 'corrupt'>;

/** A step to run, with the token of the connection. */
interface StepRequest extends AuthorizationRequest {
  readonly current: Grant | undefined;
}

interface StepContext {
  readonly request: StepRequest;
  readonly ask: FetchLike;
  /** Secrets to mask in the log. */
  readonly secrets: string[];
}

/** Each step. A step that obtains a token resolves with it. Each rejects with a ConnectionError. */
const STEPS: { readonly [S in OAuthStep]: (context: StepContext) => Promise<Grant | undefined> } = {
  async 'resource-metadata'({ request: { server, challenge, memory }, ask }) {
    memory.resource = await readResourceMetadata(server, challenge, ask);
    return memory.resource ? undefined : fail(FAILURES.noResourceMetadata(server));
  },
  async 'server-metadata'({ request, ask }) {
    const { server, memory, settings } = request;
    memory.found = await discoverServer(server, knownResource(request), ask, settings.grant === undefined);
    requireWantedIssuer(memory.found, settings);
    return undefined;
  },
  async register(context) {
    const { clientId } = context.request.settings;
    if (clientId !== undefined) fail(FAILURES.ownClient(clientId));
    const { found, scope, redirectUri } = await prepare(context);
    await registerAgain(found, { ...context.request, redirectUri, scope }, context.ask);
    return undefined;
  },
  async 'sign-in'(context) {
    const { request, ask, secrets } = context;
    const { found, scope, redirectUri, dpop } = await prepare(context);
    const client = await clientIdentity(found, { ...request, redirectUri, scope }, ask);
    if (client.client_secret !== undefined) secrets.push(client.client_secret);
    return requestSignIn(request, { found, client, redirectUri, scope, secrets, ask, dpop });
  },
  async exchange({ request: { memory, store }, ask, secrets }) {
    const { used } = memory;
    if (!used) return fail(FAILURES.noCodeYet());
    secrets.push(used.code, used.codeVerifier, used.prepared.client.client_secret ?? '');
    return exchangeCode({ ...used, prepared: { ...used.prepared, ask } }, store);
  },
  async token(context) {
    const { request, ask, secrets } = context;
    if (request.settings.grant === undefined) return fail(FAILURES.noGrant());
    const found = await metadataFor(context);
    const scope = scopeFor(found, request.settings, request.challenge, request.scopes);
    return grantWithoutPerson(request, { found, scope, secrets, ask, dpop: await keyFor(request, found) });
  },
  async refresh(context) {
    const { request, ask } = context;
    const { current } = request;
    if (!current) return fail(FAILURES.noToken());
    if (current.refreshToken === undefined) return fail(FAILURES.noRefreshToken());
    const found = await metadataFor(context);
    try {
      return await renew(current, found, current.client ?? { client_id: current.clientId }, ask);
    } catch (error) {
      if (error instanceof OAuthError) return fail(FAILURES.token(found.issuer, error.code, error.message));
      throw error;
    }
  },
  async revoke(context) {
    const { request, ask, secrets } = context;
    const { current, settings, readSecret } = request;
    if (!current) return fail(FAILURES.noToken());
    const onSecret = (value: string): void => void secrets.push(value);
    const found = await metadataFor(context);
    await revokeTokens({ grant: current, found, settings, ask, readSecret, onSecret });
    return undefined;
  },
};

/**
 * Runs one step alone, with what earlier steps found. Resolves with the token that it obtained, if any. Rejects with a
 * ConnectionError.
 */
export async function runAuthStep(step: OAuthStep, request: StepRequest): Promise<Grant | undefined> {
  const { current, settings } = request;
  const secrets = [...(current ? grantSecrets(current) : []), settings.clientSecret ?? ''].filter((one) => one !== '');
  const ask = oauthFetch(request, secrets, request.signal);
  try {
    return await STEPS[step]({ request, ask, secrets });
  } catch (error) {
    if (isFailure(error)) throw error;
    return fail(FAILURES.internal(error instanceof Error ? error.message.slice(0, 300) : String(error)));
  }
}

/** Returns the metadata of the MCP server. A sign-in of an earlier run or connection leaves only its issuer. */
function knownResource({ memory, current, server }: StepRequest): ResourceMetadata | undefined {
  const { resource, found } = memory;
  if (resource) return resource;
  const authorizationServer = found?.authorizationServer ?? current?.issuer;
  const own = new URL('/', server).href;
  if (authorizationServer === undefined || authorizationServer === own) return undefined;
  return {
    authorizationServer,
    resource: found?.resource ?? current?.resource ?? server,
    ...(found?.scopes && { scopes: found.scopes }),
    ...(found?.needsProofs && { needsProofs: true }),
  };
}

/**
 * Returns the metadata of the authorization server. Reads it first if this connection has not yet, because its token is
 * of an earlier one.
 */
async function metadataFor({ request, ask }: StepContext): Promise<DiscoveredIssuer> {
  const { server, challenge, settings, memory } = request;
  if (memory.found) return memory.found;
  if (!memory.resource && !knownResource(request)) memory.resource = await readResourceMetadata(server, challenge, ask);
  memory.found = await discoverServer(server, knownResource(request), ask, settings.grant === undefined);
  requireWantedIssuer(memory.found, settings);
  return memory.found;
}

async function prepare(context: StepContext): Promise<Pick<Prepared, 'found' | 'scope' | 'redirectUri' | 'dpop'>> {
  const { request } = context;
  const found = await metadataFor(context);
  const scope = scopeFor(found, request.settings, request.challenge, request.scopes);
  return { found, scope, redirectUri: await request.signIn.redirectUri(), dpop: await keyFor(request, found) };
}
