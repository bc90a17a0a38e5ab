/** Headers that MCP has requests carry over HTTP, besides those that browsers always let pass. */
const SENT = ['content-type', 'mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];

/**
 * What a server has to answer so that a page of `origin` can speak to it directly, as header lines. `own`: names of the headers
 * that the person has sent besides. Tools with `x-mcp-header` need their `Mcp-Param-*` allowed too.
 */
export function corsAnswer(origin: string, own: readonly string[]): string {
  const names = [...SENT, ...own.map((name) => name.toLowerCase()).filter((name) => !SENT.includes(name))];
  return [
    `Access-Control-Allow-Origin: ${origin}`,
    'Access-Control-Allow-Methods: GET, POST, DELETE',
    `Access-Control-Allow-Headers: ${names.join(', ')}`,
    'Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate',
  ].join('\n');
}
