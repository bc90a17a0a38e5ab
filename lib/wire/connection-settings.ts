import { isObject, own } from '@/lib/json/value';

/** What a server may ask of us, as a person may allow it or not. */
export const CLIENT_FEATURES = ['elicitation', 'elicitation-url', 'sampling', 'roots'] as const;
export type ClientFeature = (typeof CLIENT_FEATURES)[number];

/** A place that a server may work in, as `roots/list` tells it. */
export interface Root {
  /** As it is sent, whatever it is; the specification wants a `file:` URI. */
  readonly uri: string;
  readonly name?: string;
}

/** The roots in what a log says they are, which need not be one of ours. */
export function rootsIn(value: unknown): readonly Root[] {
  return Array.isArray(value) ? value.filter((root) => isObject(root) && typeof own(root, 'uri') === 'string') : [];
}

/** What a person says about who we are at an authorization server. All of it is optional. */
export interface ClientSettings {
  /** Of a client that was registered there by hand. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Asked for instead of what the server names; with spaces between. */
  readonly scope?: string;
  /** Where a document describes us as a client: https, and its redirect URIs have to hold ours. */
  readonly metadataUrl?: string;
}

/** The same without what nobody may see. */
export type ShownClient = Omit<ClientSettings, 'clientSecret'>;

/** What of it may be shown; undefined if nothing was said. */
export function withoutClientSecret({ clientSecret: _, ...shown }: ClientSettings): ShownClient | undefined {
  return Object.keys(shown).length === 0 ? undefined : shown;
}

/** Why these settings can't be used, as a sentence with what to do; undefined if they can. */
export function clientProblem({ clientId, clientSecret, scope, metadataUrl }: ClientSettings): string | undefined {
  if (clientSecret !== undefined && clientId === undefined) {
    return 'A client secret says nothing without its client id: give both.';
  }
  if (metadataUrl !== undefined && clientId !== undefined) {
    return 'A client id and a client metadata URL both say who mcp-inspect is: give one of them.';
  }
  if (metadataUrl !== undefined && !isDocumentUrl(metadataUrl)) {
    return `${JSON.stringify(metadataUrl.slice(0, 200))} is no client metadata URL: it has to be https, with a path.`;
  }
  if (scope !== undefined && !/^[!#-[\]-~]+(?: +[!#-[\]-~]+)*$/.test(scope)) {
    return `${JSON.stringify(scope.slice(0, 200))} are no scopes: write words with spaces between.`;
  }
  const odd = [clientId, clientSecret].some((text) => text !== undefined && !/^[ -~]+$/.test(text));
  return odd ? 'The client id or secret has characters that none may have: correct it.' : undefined;
}

/** What may be a client id by being the URL of a document (Client ID Metadata Documents). */
function isDocumentUrl(text: string): boolean {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { pathname, username, password, hash } = new URL(text);
  return pathname !== '/' && username === '' && password === '' && hash === '';
}

/**
 * How the certificate of a server at an https URL is judged, and which one we show. Paths are of the proxy's machine. None
 * of it is secret: a key stays in its file, a passphrase in its variable.
 */
export interface TlsOptions {
  /** PEM files of authorities that are trusted besides the built-in ones. */
  readonly ca?: readonly string[];
  /** PEM files of our own certificate, with its chain, and of its key. Both or none. */
  readonly cert?: string;
  readonly key?: string;
  /** Name of the environment variable of the proxy that holds the key's passphrase. */
  readonly passphraseEnv?: string;
  /** Whoever answers is believed. Only for the origin of the server's own URL. */
  readonly insecure?: true;
}

/** True if the connection to this URL is made without verifying who answers. */
export function isUnverified(url: string, tls: TlsOptions | undefined): boolean {
  return tls?.insecure === true && /^https:/i.test(url);
}
