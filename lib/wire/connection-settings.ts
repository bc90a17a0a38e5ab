import { isObject, own } from '@/lib/json/value';

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
}

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
