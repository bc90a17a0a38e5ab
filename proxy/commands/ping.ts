import { formatDuration } from '@/lib/wire/format';
import { onServer } from './headless/on-server';
import { printResult, request, requireResult } from './headless/results';

/** Pings the server, and prints how long its response took. */
export const run = onServer(async () => async (server) => {
  if (server.negotiated?.era === 'modern') {
    server.out.printNote('mcp-inspect', `MCP ${server.negotiated.version} has no ping. Try \`mcp-inspect discover\`.`);
  }
  const from = performance.now();
  const answer = requireResult(await request(server, 'ping', undefined));
  const us = (performance.now() - from) * 1000;
  return printResult(answer, { method: 'ping', params: undefined }, server, () => `answered in ${formatDuration(us)}`);
});
