import { RegistrationRejectedError, registerClient } from '@modelcontextprotocol/client';
import type { ClientSettings } from '@/lib/wire/client-settings';
import { isFailure } from '@/lib/wire/lifecycle';
import { isObject, own } from '@/lib/wire/message';
import { isLoopbackName } from '@/lib/wire/sign-in-url';
import { FAILURES, fail } from './authorization-failures';
import type { ClientIdentity, Credentials } from './credentials';
import type { Discovered } from './discovery';
import type { FetchLike } from './oauth-fetch';

/** What decides who we are at an authorization server. */
export interface Asked {
  /** The server's URL. */
  readonly server: string;
  readonly settings: ClientSettings;
  readonly store: Credentials;
  /** Settings that must not share a client. */
  readonly owner: string;
  readonly redirectUri: string;
  readonly scope: string | undefined;
}

/**
 * Who we are there, in the order that MCP wants: a client that the person registered, the URL of a metadata document where
 * those are taken, and registering ourselves. Rejects with a ConnectionError.
 */
export async function clientIdentity(found: Discovered, asked: Asked, ask: FetchLike): Promise<ClientIdentity> {
  const { settings, store, owner, server, redirectUri } = asked;
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
  const client = await register(found, asked, ask);
  store.keepClient(issuer, redirectUri, owner, client);
  return client;
}

async function register(found: Discovered, { redirectUri, scope, server }: Asked, ask: FetchLike) {
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
    // Of a server without any metadata this was the last thing to try.
    if (metadata === undefined) return fail(FAILURES.noOAuth(server));
    if (!(error instanceof RegistrationRejectedError)) {
      return fail(FAILURES.internal('the answer to the registration is not one'));
    }
    return fail(FAILURES.registration(issuer, error.status, saidIn(error.body)));
  }
}

/** A program on a person's machine keeps no secret, but where only secrets are taken it takes one. */
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
