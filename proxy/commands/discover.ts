import { onServer } from './headless/on-server';
import { printResult, request, requireResult } from './headless/results';
import { indentJson } from './shared/format-content';

/** Asks a modern server for its versions, capabilities and identity (`server/discover`, 2026-07-28). */
export const run = onServer(async () => async (server) => {
  const { negotiated, out } = server;
  if (negotiated?.era === 'legacy') {
    out.printNote('mcp-inspect', `MCP ${negotiated.version} has no server/discover. The server may refuse it.`);
  }
  const answer = requireResult(await request(server, 'server/discover', undefined));
  const asked = { method: 'server/discover', params: undefined };
  return printResult(answer, asked, server, () => indentJson(answer.text));
});
