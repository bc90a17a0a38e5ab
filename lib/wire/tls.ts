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
