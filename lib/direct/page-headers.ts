/** Header names that browsers keep to themselves (Fetch standard, forbidden request-header). */
const FORBIDDEN = new Set([
  'accept-charset',
  'accept-encoding',
  'access-control-request-headers',
  'access-control-request-method',
  'access-control-request-private-network',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'referer',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);

/** True for a header that no page may set; a browser would drop it without a word. */
export function isForbiddenHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return FORBIDDEN.has(lower) || lower.startsWith('proxy-') || lower.startsWith('sec-');
}

/** Request headers that need no server's leave. The values that MCP sends of these are harmless ones. */
const SAFE = new Set(['accept', 'accept-language', 'content-language']);

/** True for a header that a preflight has to ask the server about. */
export function needsLeave(name: string): boolean {
  return !SAFE.has(name.toLowerCase());
}
