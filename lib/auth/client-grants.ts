import {
  createPrivateKeyJwtAuth,
  fetchToken,
  InsecureTokenEndpointError,
  type OAuthClientProvider,
  OAuthError,
  type OAuthTokens,
  requestJwtAuthorizationGrant,
} from '@modelcontextprotocol/client';
import type { ClientGrant, ClientSettings } from '@/lib/wire/connection-settings';
import { isFailure } from '@/lib/wire/lifecycle';
import { FAILURES, fail } from './authorization-failures';
import type { Grant } from './credentials';
import type { DiscoveredIssuer } from './discovery';
import { exchangeFetch, TEXTS, tokenFetch } from './oauth-document';
import type { FetchLike } from './oauth-fetch';
import { forSdk } from './sdk-metadata';

/** Reads a file with a key or a token, which the user named. Rejects with a ConnectionError. */
export type ReadSecret = (path: string) => Promise<string>;

/** A token that mcp-inspect gets without a person. */
export interface ClientGrantRequest {
  readonly settings: ClientSettings & { readonly grant: ClientGrant };
  readonly found: DiscoveredIssuer;
  readonly scope: string | undefined;
  readonly dpop: Grant['dpop'];
  readonly ask: FetchLike;
  readonly readSecret: ReadSecret;
  /** Called with each secret before it is used, so that the log masks it. */
  onSecret(value: string): void;
}

type Parameters = Readonly<Record<string, string>>;

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The parameters of the token request, for each grant. */
const PARAMETERS: Readonly<Record<ClientGrant, (request: ClientGrantRequest) => Promise<Parameters>>> = {
  'client-credentials': async () => ({ grant_type: 'client_credentials' }),
  enterprise: async (request) => ({ grant_type: JWT_BEARER, assertion: await crossAppGrant(request) }),
  workload: async (request) => ({ grant_type: JWT_BEARER, assertion: await readJwt(request) }),
};

/**
 * Requests a token without a person. A refusal is final: neither another grant nor a sign-in is tried. Rejects with a
 * ConnectionError.
 */
export async function requestClientGrant(request: ClientGrantRequest): Promise<OAuthTokens> {
  const { settings, found, scope, dpop, ask } = request;
  const { authorizationServer, metadata, issuer, resource } = found;
  const parameters = await PARAMETERS[settings.grant](request);
  const key = settings.keyFile === undefined ? undefined : await readKey(request, settings.keyFile);
  const client = settings.clientId === undefined ? undefined : clientOf(settings, issuer);
  // The SDK asks a provider for these parts only.
  const provider = {
    clientMetadata: { redirect_uris: [] },
    redirectUrl: undefined,
    clientInformation: () => client,
    prepareTokenRequest: () => new URLSearchParams({ ...parameters, ...(scope !== undefined && { scope }) }),
    ...(key !== undefined && { addClientAuthentication: signedBy(key, settings.clientId!, found) }),
    ...(dpop && { dpop: () => dpop }),
  } as unknown as OAuthClientProvider;
  try {
    return await fetchToken(provider, authorizationServer, {
      ...(metadata && { metadata: forSdk(metadata) }),
      ...(resource !== undefined && { resource }),
      fetchFn: tokenFetch(ask),
    });
  } catch (error) {
    if (error instanceof InsecureTokenEndpointError) return fail(FAILURES.insecureToken(error.message));
    if (isFailure(error)) throw error;
    if (error instanceof OAuthError) return fail(FAILURES.token(issuer, error.code, error.message));
    return fail(FAILURES.token(issuer, 'invalid token response', ''));
  }
}

function clientOf({ clientId, clientSecret }: ClientSettings, issuer: string) {
  return { client_id: clientId!, ...(clientSecret !== undefined && { client_secret: clientSecret }), issuer };
}

/** Exchanges the user's ID token at the company's identity provider for an ID-JAG (RFC 8693). */
async function crossAppGrant(request: ClientGrantRequest): Promise<string> {
  const { settings, found, scope, ask, onSecret } = request;
  const idp = settings.idp!;
  const idToken = await readJwt(request);
  try {
    const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
      tokenEndpoint: idp,
      audience: found.issuer,
      resource: found.resource ?? '',
      idToken,
      clientId: settings.idpClientId ?? settings.clientId!,
      ...(scope !== undefined && { scope }),
      fetchFn: exchangeFetch(ask),
    });
    onSecret(jwtAuthGrant);
    return jwtAuthGrant;
  } catch (error) {
    if (isFailure(error)) throw error;
    return fail(FAILURES.identityProvider(idp, error instanceof Error ? error.message : String(error)));
  }
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Reads the token file. Another text than a JWT is refused, so that no other file is ever sent. */
async function readJwt({ settings, readSecret, onSecret }: ClientGrantRequest): Promise<string> {
  const text = (await readSecret(settings.tokenFile!)).trim();
  if (!JWT.test(text)) fail(FAILURES.tokenFile(settings.tokenFile!));
  onSecret(text);
  return text;
}

/** Signs a request of the client with its private key. Rejects with a ConnectionError. */
export async function signRequest(
  {
    settings,
    found,
    readSecret,
    onSecret,
  }: Pick<ClientGrantRequest, 'found' | 'readSecret' | 'onSecret'> & { readonly settings: ClientSettings },
  endpoint: string,
  headers: Headers,
  body: URLSearchParams,
): Promise<void> {
  const key = await readKey({ readSecret }, settings.keyFile!);
  await signedBy(key, settings.clientId!, found)(headers, body, endpoint);
  onSecret(body.get('client_assertion') ?? '');
}

async function readKey({ readSecret }: Pick<ClientGrantRequest, 'readSecret'>, path: string): Promise<string> {
  const pem = await readSecret(path);
  return pem.includes('-----BEGIN PRIVATE KEY-----') ? pem : fail(FAILURES.keyFile(path));
}

/** Algorithms to try, where the authorization server names none. */
const ALGORITHMS: readonly string[] = ['ES256', 'RS256', 'ES384', 'ES512', 'PS256'];

type Authenticate = NonNullable<OAuthClientProvider['addClientAuthentication']>;

/** Signs the client's assertion (RFC 7523, 2.2) by the first algorithm that fits the key. */
function signedBy(privateKey: string, clientId: string, { issuer, metadata }: DiscoveredIssuer): Authenticate {
  return async (headers, params, url) => {
    const known = metadata?.optional('token_endpoint_auth_signing_alg_values_supported', TEXTS) ?? ALGORITHMS;
    for (const alg of known) {
      try {
        const sign = createPrivateKeyJwtAuth({
          issuer: clientId,
          subject: clientId,
          privateKey,
          alg,
          audience: issuer,
        });
        return await sign(headers, params, url);
      } catch {
        // The key is for another algorithm.
      }
    }
    fail(FAILURES.keyAlgorithm(known.slice(0, 10)));
  };
}
