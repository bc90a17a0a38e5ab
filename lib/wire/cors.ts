/**
 * One small request by which a page finds out why its browser kept a server's answer from it. Follows the `request` that
 * failed, on the `http` channel and with its exchange number.
 */
export interface CorsProbeFrame {
  readonly kind: 'cors-probe';
  readonly exchange: number;
  readonly method: string;
  /** What it was to find out: whether the server answers at all, may be read, or takes the header that is named. */
  readonly asks: 'reachable' | 'readable' | { readonly header: string };
  /** True: an answer came that the page may read; of `reachable`, any answer. */
  readonly passed: boolean;
  /** Of the answer, where the page may see it. */
  readonly status?: number;
}

/** What a probe asked, and what came of it. */
export function describeCorsProbe({ method, asks, passed, status }: CorsProbeFrame): string {
  const verdict = `${passed ? 'yes' : 'no'}${status === undefined ? '' : ` (HTTP ${status})`}`;
  if (asks === 'reachable') return `does the server answer ${method} at all? ${verdict}`;
  if (asks === 'readable') return `may this page read the answer to a plain ${method}? ${verdict}`;
  return `may this page send ${asks.header} with ${method}? ${verdict}`;
}

/** Headers that MCP has requests carry over HTTP, besides those that browsers always let pass. */
const SENT = ['content-type', 'mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];

/**
 * What a server has to answer so that a page of `origin` can speak to it directly, as header lines. `own`: names of the headers
 * that the person has sent besides. Tools with `x-mcp-header` need their `Mcp-Param-*` allowed too.
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
