import { isObject, own } from '@/lib/json/value';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import { isLoopbackName } from '@/lib/wire/url';
import { FAILURES, fail } from './authorization-failures';
import type { ClientIdentity, Credentials } from './credentials';
import type { DiscoveredIssuer } from './discovery';
import { DOCUMENTS } from './document-kinds';
import { ADDRESS, OAuthDocument, TEXT, TEXTS } from './oauth-document';
import type { FetchLike } from './oauth-fetch';

interface IdentityRequest {
  readonly server: string;
  readonly settings: ClientSettings;
  readonly store: Credentials;
  readonly owner: string;
  readonly redirectUri: string;
  readonly scope: string | undefined;
}

/**
 * Returns our client identity, in MCP's order of preference: the user's own client id, the URL of a metadata document
 * where the server accepts those, or a new registration. Rejects with a ConnectionError.
 */
export async function clientIdentity(
  found: DiscoveredIssuer,
  request: IdentityRequest,
  ask: FetchLike,
): Promise<ClientIdentity> {
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
  if (settings.metadataUrl !== undefined && metadata?.member('client_id_metadata_document_supported') === true) {
    return { client_id: settings.metadataUrl };
  }
  return store.client(issuer, redirectUri, owner) ?? registerAgain(found, request, ask);
}

/** Registers a new client, which replaces the one of before. Rejects with a ConnectionError. */
export async function registerAgain(
  found: DiscoveredIssuer,
  request: IdentityRequest,
  ask: FetchLike,
): Promise<ClientIdentity> {
  const { store, owner, redirectUri } = request;
  const { issuer, metadata } = found;
  if (metadata !== undefined && metadata.member('registration_endpoint') === undefined) {
    fail(FAILURES.noClient(issuer, redirectUri));
  }
  const client = await register(found, request, ask);
  store.keepClient(issuer, redirectUri, owner, client);
  return client;
}

async function register(
  found: DiscoveredIssuer,
  { redirectUri, scope, server }: IdentityRequest,
  ask: FetchLike,
): Promise<ClientIdentity> {
  const { authorizationServer, issuer, metadata } = found;
  const endpoint =
    metadata?.required('registration_endpoint', ADDRESS) ?? new URL('/register', authorizationServer).href;
  const native = isLoopbackName(new URL(redirectUri).hostname);
  const answer = await ask(endpoint, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'mcp-inspect',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: authMethod(metadata?.optional('token_endpoint_auth_methods_supported', TEXTS)),
      application_type: native ? 'native' : 'web',
      ...(scope !== undefined && { scope }),
    }),
  });
  const text = await answer.text();
  const response = answer.ok ? OAuthDocument.parse(DOCUMENTS.registration, endpoint, text) : undefined;
  if (response instanceof OAuthDocument) return identityIn(response);
  // A server without metadata offers only registration.
  if (metadata === undefined) return fail(FAILURES.noOAuth(server));
  return fail(response ?? FAILURES.registration(issuer, answer.status, saidIn(text)));
}

function identityIn(response: OAuthDocument): ClientIdentity {
  const secret = response.optional('client_secret', TEXT);
  const method = response.optional('token_endpoint_auth_method', TEXT);
  return {
    client_id: response.required('client_id', TEXT),
    ...(secret !== undefined && { client_secret: secret }),
    ...(method !== undefined && { token_endpoint_auth_method: method }),
  };
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
