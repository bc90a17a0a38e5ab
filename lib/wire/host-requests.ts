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

const NEIGHBOUR = 'look-further-';
const NEIGHBOUR_ID = new RegExp(`^${NEIGHBOUR}\\d+$`);

/** Returns the id of the n-th request to neighbouring addresses of a URL, from 1. */
export function neighbourId(n: number): string {
  return `${NEIGHBOUR}${n}`;
}

/** True for the id of a request to a neighbouring address. */
export function isNeighbourRequest(id: unknown): boolean {
  return typeof id === 'string' && NEIGHBOUR_ID.test(id);
}
