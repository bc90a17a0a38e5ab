// An MCP server on stdio that sends COUNT notifications of SIZE bytes before it lists its tool:
// node flood.mjs COUNT SIZE
import { createInterface } from 'node:readline';

const [count, size] = process.argv.slice(2).map(Number);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const serverInfo = { name: 'flood', version: '1' };
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') {
    const text = 'lorem ipsum dolor sit amet '.repeat(size / 27);
    for (let number = 1; number <= count; number++) {
      send({ method: 'notifications/flood', params: { number, text } });
    }
    send({ id, result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } });
  } else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
});
