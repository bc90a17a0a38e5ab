import { assertSecureTokenEndpoint, selectClientAuthMethod } from '@modelcontextprotocol/client';
import { isObject, own } from '@/lib/json/value';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import { FAILURES, fail } from './authorization-failures';
import { type ReadSecret, signRequest } from './client-grants';
import type { ClientIdentity, Grant } from './credentials';
import type { DiscoveredIssuer } from './discovery';
import { ADDRESS, TEXTS } from './oauth-document';
import type { FetchLike } from './oauth-fetch';

/** Tokens to revoke. */
interface Revocation {
  readonly grant: Grant;
  readonly found: DiscoveredIssuer;
  readonly settings: ClientSettings;
  readonly ask: FetchLike;
  readonly readSecret: ReadSecret | undefined;
  onSecret(value: string): void;
}

/** Revokes the tokens of a grant (RFC 7009), the refresh token first. Rejects with a ConnectionError. */
export async function revokeTokens(revocation: Revocation): Promise<void> {
  const { grant, found, ask } = revocation;
  const { metadata, issuer } = found;
  const endpoint = metadata?.optional('revocation_endpoint', ADDRESS) ?? fail(FAILURES.noRevocation(issuer));
  try {
    assertSecureTokenEndpoint(endpoint);
  } catch {
    return fail(FAILURES.insecureToken(endpoint));
  }
  const tokens = [
    [grant.refreshToken, 'refresh_token'],
    [grant.accessToken, 'access_token'],
  ] as const;
  for (const [token, hint] of tokens) {
    if (token === undefined) continue;
    const headers = new Headers({ Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' });
    const body = new URLSearchParams({ token, token_type_hint: hint });
    await authenticate(revocation, endpoint, headers, body);
    const answer = await ask(endpoint, { method: 'POST', headers, body });
    if (!answer.ok) return fail(FAILURES.revocation(issuer, answer.status, await saidIn(answer)));
  }
}

/** Adds the client's authentication, as for a token request. */
async function authenticate(
  { grant, found, settings, readSecret, onSecret }: Revocation,
  endpoint: string,
  headers: Headers,
  body: URLSearchParams,
): Promise<void> {
  if (settings.keyFile !== undefined) {
    if (!readSecret) return fail(FAILURES.noFiles());
    return signRequest({ settings, found, readSecret, onSecret }, endpoint, headers, body);
  }
  const client: ClientIdentity = grant.client ?? {
    client_id: grant.clientId,
    ...(settings.clientSecret !== undefined && { client_secret: settings.clientSecret }),
  };
  const { metadata } = found;
  const methods =
    metadata?.optional('revocation_endpoint_auth_methods_supported', TEXTS) ??
    metadata?.optional('token_endpoint_auth_methods_supported', TEXTS);
  const method = selectClientAuthMethod(client, [...(methods ?? [])]);
  const { client_id: id, client_secret: secret } = client;
  if (method === 'client_secret_basic' && secret !== undefined) {
    // As the SDK does for token requests.
    headers.set('Authorization', `Basic ${btoa(`${id}:${secret}`)}`);
    return;
  }
  body.set('client_id', id);
  if (method === 'client_secret_post' && secret !== undefined) body.set('client_secret', secret);
}

async function saidIn(answer: Response): Promise<string> {
  try {
    const value: unknown = await answer.json();
    const said = isObject(value) ? (own(value, 'error_description') ?? own(value, 'error')) : undefined;
    return typeof said === 'string' ? said : '';
  } catch {
    return '';
  }
}
