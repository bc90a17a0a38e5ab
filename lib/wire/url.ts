/** True for a host name or address that is this machine itself (RFC 8252 §7.3, RFC 6761 §6.3). */
export function isLoopbackName(hostname: string): boolean {
  return /^(?:localhost|(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Why a URL that a server names is not to be opened for a person to sign in, as the end of a sentence; undefined if it may
 * be. Only https is good enough, and http on this machine: anything else could be a program that the system starts.
 */
export function signInUrlProblem(text: string): string | undefined {
  // Visible ASCII: what a URL parser would quietly take out or turn round has no honest place in one.
  if (!/^https?:\/\/[!-[\]-~]+$/i.test(text) || !URL.canParse(text)) return 'which is no http or https URL';
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return 'which names a user';
  if (protocol === 'http:' && !isLoopbackName(hostname)) return 'which is not encrypted';
  return undefined;
}

/** True for an absolute http or https URL. */
export function isUrl(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text);
}

/** The URL that a word without a scheme most likely means. */
export interface BareUrl {
  /** With the scheme that servers there usually have. */
  readonly url: string;
  /** It is on this machine, so adding the scheme sends nothing over a network. */
  readonly local: boolean;
}

/** A host, then a port, a path or both. A name without dots needs the port, since it may name a program. */
const BARE =
  /^(?:(?<local>(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?::\d{1,5})?|(?<address>\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?|(?<domain>(?:[a-z\d][\w-]*\.)+[a-z][a-z\d-]+)(?=[:/])(?::\d{1,5})?|[a-z\d][\w-]+:\d{1,5})(?:[/?]\S*)?$/i;

/**
 * Reads `localhost:3000/mcp`, `[::1]:3000` and `example.com/mcp` as URLs. undefined for anything else, `server.py` for
 * example.
 */
export function bareUrl(word: string): BareUrl | undefined {
  const groups = BARE.exec(word)?.groups;
  if (!groups) return undefined;
  const url = `${groups.domain === undefined || groups.local !== undefined ? 'http' : 'https'}://${word}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return { url, local: isLoopbackName(hostname) || hostname === '0.0.0.0' || hostname === '[::]' };
}
