// A legacy server over stdio with one tool. Its answer is the text of a file, so that a test can change the server:
//
//     node price.mjs FILE
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , file] = process.argv;
const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'price', version: '1' },
  }),
  'tools/list': () => ({
    tools: [
      {
        name: 'price',
        description: 'Tells what something costs.',
        inputSchema: { type: 'object', properties: { item: { type: 'string' } } },
      },
    ],
  }),
  'tools/call': ({ arguments: { item } }) => ({
    content: [{ type: 'text', text: JSON.stringify({ item, price: Number(readFileSync(file, 'utf8')) }) }],
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = RESULTS[method]?.(params ?? {});
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
