import { isLoopbackName } from './sign-in-url';

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
