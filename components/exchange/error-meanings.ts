/** What JSON-RPC and MCP say an error code means; codes of a server's own have no meaning to us. */
const MEANINGS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [-32700, 'Parse error: the server could not read the message as JSON'],
  [-32600, 'Invalid request'],
  [-32601, 'Method not found'],
  [-32602, 'Invalid params'],
  [-32603, 'Internal error of the server'],
  [-32002, 'Resource not found (up to 2025-11-25)'],
  [-32042, 'URL elicitation required (2025-11-25)'],
  [-32020, 'Headers do not match the message (2026-07-28)'],
  [-32021, 'A client capability that the server requires is missing (2026-07-28)'],
  [-32022, 'Unsupported protocol version (2026-07-28)'],
]);

/** An error code in words. */
export function errorMeaning(code: unknown): string {
  const known = MEANINGS.get(code);
  if (known !== undefined) return known;
  if (typeof code !== 'number') return 'Not a code: JSON-RPC asks for an integer';
  if (code <= -32000 && code >= -32099) return "The server's own code, from JSON-RPC's range for servers";
  return "The server's own code";
}
