import type { Headers } from './http-link';
import { maskedUrl } from './masked-url';

/** What the person themself gave for this connection. Tokens that were obtained for them by OAuth are not among it. */
export interface Given {
  readonly url: string;
  readonly headers: Headers;
}

/** What servers hand out for this connection alone. */
const SERVERS_OWN: ReadonlySet<string> = new Set(['mcp-session-id', 'set-cookie']);

/**
 * True if a masked header may be shown to the person on asking: the very value that they gave, the session, cookies as they
 * are set. Whatever else is masked stays so.
 */
export function mayReveal(name: string, value: string, { headers }: Given): boolean {
  const key = name.toLowerCase();
  return SERVERS_OWN.has(key) || headers.some(([given, own]) => given.toLowerCase() === key && own === value);
}

/** The same for a URL: the one that they gave, and one of which only the session is masked, as over HTTP+SSE. */
export function mayRevealUrl(url: string, given: Given): boolean {
  const other = url.replace(/([?&])session[-_]?id=[^&#]*/gi, '$1s=');
  return url === given.url || maskedUrl(other) === other;
}
