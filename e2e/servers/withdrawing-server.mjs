// A stdio server that does what a test tells it while somebody types: asks, withdraws its question, changes its lists,
// exits. Usage: node withdrawing-server.mjs FILE. It writes the URL of its controls to FILE.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const TEXT = { type: 'string' };
const FORM = { type: 'object', properties: { colour: TEXT, reason: TEXT }, required: ['colour'] };
const CONFIRM = { type: 'object', properties: { sure: { type: 'boolean' } } };
const tool = (name, properties = {}) => ({ name, inputSchema: { type: 'object', properties } });
const DANGER = { ...tool('danger', { what: TEXT }), annotations: { destructiveHint: true } };
const TOOLS = [
  tool('sample'),
  tool('elicit'),
  tool('confirm'),
  tool('order', { item: TEXT, remark: TEXT, extra: {} }),
  DANGER,
];

/** Every line that the client sent. */
const received = [];
/** Ids of the questions that wait, with the id of their call. */
const waiting = new Map();
let questions = 0;
let hasMore = false;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion === '2026-07-28' ? '2025-11-25' : protocolVersion,
    capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {}, logging: {} },
    serverInfo: { name: 'withdrawing', version: '1' },
  }),
  ping: () => ({}),
  'logging/setLevel': () => ({}),
  'tools/list': () => ({ tools: hasMore ? [tool('more'), ...TOOLS] : TOOLS }),
  'prompts/list': () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'who' }, { name: 'how' }] }] }),
  'resources/list': () => ({ resources: [{ uri: 'note://one', name: 'one' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'note://{name}', name: 'note' }] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'text' }] }),
};

function ask(method, call, requestedSchema = FORM) {
  const id = `q${++questions}`;
  waiting.set(id, call);
  const message = { role: 'user', content: { type: 'text', text: 'Summarise the order' } };
  const sampling = { messages: [message], maxTokens: 100 };
  const elicitation = { message: 'Which colour?', requestedSchema };
  send({ id, method, params: method === 'elicitation/create' ? elicitation : sampling });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  received.push(line);
  const { id, method, params = {} } = JSON.parse(line);
  if (method === undefined || id === undefined) return;
  if (method === 'tools/call' && params.name === 'sample') ask('sampling/createMessage', id);
  else if (method === 'tools/call' && params.name === 'elicit') ask('elicitation/create', id);
  else if (method === 'tools/call' && params.name === 'confirm') ask('elicitation/create', id, CONFIRM);
  else if (method === 'tools/call') send({ id, result: { content: [] } });
  else if (RESULTS[method]) send({ id, result: RESULTS[method](params) });
  else send({ id, error: { code: -32601, message: 'Method not found' } });
});

const CONTROLS = {
  /** Asks outside of any call. */
  ask: () => ask('elicitation/create', undefined),
  /** Withdraws all questions, and answers their calls. */
  withdraw: () => {
    for (const [requestId, call] of waiting) {
      send({ method: 'notifications/cancelled', params: { requestId, reason: 'timed out' } });
      if (call !== undefined)
        send({ id: call, result: { content: [{ type: 'text', text: 'timed out' }], isError: true } });
    }
    waiting.clear();
  },
  /** Removes the tools. */
  clear: () => {
    TOOLS.length = 0;
    send({ method: 'notifications/tools/list_changed' });
  },
  change: () => {
    hasMore = !hasMore;
    send({ method: 'notifications/tools/list_changed' });
  },
  die: () => process.exit(3),
  received: () => received,
};

const controls = createServer((request, response) => {
  const done = CONTROLS[request.url.slice(1)]?.();
  response.end(JSON.stringify(done ?? null));
});
controls.listen(0, '127.0.0.1', () => writeFileSync(process.argv[2], `http://127.0.0.1:${controls.address().port}/`));
