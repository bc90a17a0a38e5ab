/** Id of auto mode's probe. A string, so that it can't clash with the integer ids of other requests. */
export const PROBE_ID = 'mcp-inspect-probe';
