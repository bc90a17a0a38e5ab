// A legacy server over stdio whose tools have what some hosts drop: combinators at the top of a schema, an array
// without `items`, a long name. `add_choice` adds one more.
import { createInterface } from 'node:readline';

const CHOICES = 6;
const choice = (n) => ({
  name: `choice_${n}`,
  description: 'Takes one of two arguments.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, name: { type: 'string' } },
    anyOf: [{ required: ['id'] }, { required: ['name'] }],
  },
});
const plain = (name, inputSchema = { type: 'object', properties: {} }) => ({
  name,
  description: 'Does nothing.',
  inputSchema,
});
const tools = [
  plain('add_choice'),
  plain('bare_array', { type: 'object', properties: { list: { type: 'array' } } }),
  plain(`long_${'name_'.repeat(12)}`),
  ...Array.from({ length: CHOICES }, (_, n) => choice(n + 1)),
];
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'hosts', version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name }) => {
    if (name === 'add_choice') {
      tools.push(choice(tools.length));
      send({ method: 'notifications/tools/list_changed' });
    }
    return { content: [{ type: 'text', text: 'done' }] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = RESULTS[method]?.(params ?? {});
  send({ id, ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) });
});
