import type { CorsProbeFrame } from './http-frame';

/** Describes a probe's question and answer. */
export function describeCorsProbe({ method, asks, passed, status }: CorsProbeFrame): string {
  const verdict = `${passed ? 'yes' : 'no'}${status === undefined ? '' : ` (HTTP ${status})`}`;
  if (asks === 'reachable') return `does the server answer ${method} at all? ${verdict}`;
  if (asks === 'readable') return `may this page read the answer to a plain ${method}? ${verdict}`;
  return `may this page send ${asks.header} with ${method}? ${verdict}`;
}

/** Request headers of MCP that browsers block unless the server allows them. */
const SENT = ['content-type', 'mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];

/**
 * Returns the response headers that a server needs to accept direct requests from `origin`. `own` names the headers
 * that the user adds. Tools with `x-mcp-header` need their `Mcp-Param-*` headers allowed too.
 */
export function requiredCorsHeaders(origin: string, own: readonly string[]): string {
  const names = [...SENT, ...own.map((name) => name.toLowerCase()).filter((name) => !SENT.includes(name))];
  return [
    `Access-Control-Allow-Origin: ${origin}`,
    'Access-Control-Allow-Methods: GET, POST, DELETE',
    `Access-Control-Allow-Headers: ${names.join(', ')}`,
    'Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate',
  ].join('\n');
}
