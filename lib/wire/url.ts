/** Returns true for a name or address of this machine (RFC 8252 §7.3, RFC 6761 §6.3). */
export function isLoopbackName(hostname: string): boolean {
  return /^(?:localhost|(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Returns why a URL from a server must not be opened for signing in, as the end of a sentence; undefined if it may.
 * Allows https, and http on this machine. Any other scheme could start a program.
 */
export function signInUrlProblem(text: string): string | undefined {
  // Visible ASCII only: URL parsers silently drop or rewrite other characters.
  if (!/^https?:\/\/[!-[\]-~]+$/i.test(text) || !URL.canParse(text)) return 'which is not an http or https URL';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'which contains a user name';
  if (protocol === 'http:' && !isLoopbackName(hostname)) return 'which is not encrypted';
  return undefined;
}

/** Decodes percent escapes. Returns malformed text unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns true for an absolute http or https URL. */
export function isUrl(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text);
}

/** The URL that a word without a scheme probably means. */
export interface BareUrl {
  /** The word with the usual scheme for its host. */
  readonly url: string;
  /** True for this machine. Connecting to it sends nothing over the network, even if the guess is wrong. */
  readonly local: boolean;
}

/** Matches a host with a port, a path or both. A name without dots needs a port, because it could be a program. */
const BARE =
  /^(?:(?<local>(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?::\d{1,5})?|(?<address>\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?|(?<domain>(?:[a-z\d][\w-]*\.)+[a-z][a-z\d-]+)(?=[:/])(?::\d{1,5})?|[a-z\d][\w-]+:\d{1,5})(?:[/?]\S*)?$/i;

/**
 * Reads `localhost:3000/mcp`, `[::1]:3000` and `example.com/mcp` as URLs. undefined for anything else, such as
 * `server.py`.
 */
export function bareUrl(word: string): BareUrl | undefined {
  const groups = BARE.exec(word)?.groups;
  if (!groups) return undefined;
  const url = `${groups.domain === undefined || groups.local !== undefined ? 'http' : 'https'}://${word}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return { url, local: isLoopbackName(hostname) || hostname === '0.0.0.0' || hostname === '[::]' };
}
