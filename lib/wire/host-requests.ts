/** Ids of the requests that mcp-inspect sends because only some hosts send them. No rule judges them. */
export const HOST_REQUEST = {
  /** With a session that nobody began. */
  session: 'host-session',
  /** Begins the session of the other two. */
  initialize: 'host-initialize',
  /** With `MCP-Protocol-Version`, as a comparison. */
  version: 'host-version',
  /** Without it. */
  noVersion: 'host-no-version',
} as const;

const IDS: readonly unknown[] = Object.values(HOST_REQUEST);

/** True for the id of such a request. */
export function isHostRequest(id: unknown): boolean {
  return IDS.includes(id);
}
