import { isObject, own } from '@/lib/json/value';

/** `http`: Streamable HTTP. `sse`: HTTP+SSE, its predecessor. `auto`: the first of these that the server supports. */
export const URL_TRANSPORTS = ['auto', 'http', 'sse'] as const;

/** A folder that a server may work in, as listed by `roots/list`. */
export interface Root {
  /** The URI, sent as it is. The specification requires a `file:` URI. */
  readonly uri: string;
  readonly name?: string;
}

/** Returns the valid roots in a value from a log, which can come from anybody. */
export function rootsIn(value: unknown): readonly Root[] {
  return Array.isArray(value) ? value.filter((root) => isObject(root) && typeof own(root, 'uri') === 'string') : [];
}

/** How we identify ourselves to an authorization server. Everything is optional. */
export interface ClientSettings {
  /** Id of a client that the user registered at the authorization server. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Scopes to request instead of those that the server names, separated by spaces. */
  readonly scope?: string;
  /** URL of an https document that describes our client. Its redirect URIs must include ours. */
  readonly metadataUrl?: string;
  /** How tokens are obtained without a person. Absent: a person signs in. */
  readonly grant?: ClientGrant;
  /** PEM file (PKCS #8) of the key that signs our assertions, in place of a secret. On the proxy's machine. */
  readonly keyFile?: string;
  /**
   * File with the JWT of the user (an ID token, for `enterprise`) or of the workload (for `workload`). Read for each
   * grant, because such tokens are short-lived. On the proxy's machine.
   */
  readonly tokenFile?: string;
  /** URL of the token endpoint of the company's identity provider, for `enterprise`. */
  readonly idp?: string;
  /** Our client id there. Absent: the same as `clientId`. */
  readonly idpClientId?: string;
  /** The only issuer that may get our secrets and tokens, exactly as in its metadata. Absent: the first one. */
  readonly issuer?: string;
  /** Binds tokens to a key of this run (RFC 9449), even if the server does not ask for that. */
  readonly dpop?: 'always';
}

/**
 * `client-credentials`: as the client itself (RFC 6749, 4.4). `enterprise`: for a user whom the company's identity
 * provider vouches for (MCP enterprise-managed authorization). `workload`: as the workload that a JWT names (RFC 7523).
 */
export const CLIENT_GRANTS = ['client-credentials', 'enterprise', 'workload'] as const;
export type ClientGrant = (typeof CLIENT_GRANTS)[number];

/** Client settings without the secret. */
export type ShownClient = Omit<ClientSettings, 'clientSecret'>;

/** Removes the client secret; undefined if nothing else is set. */
export function withoutClientSecret({ clientSecret: _, ...shown }: ClientSettings): ShownClient | undefined {
  return Object.keys(shown).length === 0 ? undefined : shown;
}

/**
 * Settings to verify the certificate of a server at an https URL, and our own certificate. Paths are on the proxy's
 * machine. Nothing here is secret: a key stays in its file, a passphrase in its variable.
 */
export interface TlsOptions {
  /** PEM files of authorities that are trusted in addition to the built-in ones. */
  readonly ca?: readonly string[];
  /** PEM files of our own certificate, with its chain, and of its key. Both or neither are set. */
  readonly cert?: string;
  readonly key?: string;
  /** Name of the environment variable of the proxy that holds the key's passphrase. */
  readonly passphraseEnv?: string;
  /** Skips verification of the certificate, but only at the origin of the server's URL. */
  readonly insecure?: true;
}

/** Returns true if a connection to this URL does not verify the certificate. */
export function isUnverified(url: string, tls: TlsOptions | undefined): boolean {
  return tls?.insecure === true && /^https:/i.test(url);
}
