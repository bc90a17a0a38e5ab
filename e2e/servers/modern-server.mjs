// A server on the official SDK with features that published servers lack: array output, a header parameter, unsafe
// icons.
//
//   node modern-server.mjs dual     modern, or legacy for a client that opens with `initialize`
//   node modern-server.mjs reject   modern only: answers `initialize` with -32022
//
// With `http` as the second argument it listens on 127.0.0.1 at $PORT instead of using stdio.
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const MODES = { dual: 'serve', reject: 'reject' };

/** @param {string | undefined} mode */
function legacyFor(mode) {
  if (mode === undefined || !Object.hasOwn(MODES, mode)) {
    process.stderr.write(`modern-server: the mode must be one of ${Object.keys(MODES).join(', ')}\n`);
    process.exit(2);
  }
  return MODES[mode];
}

const text = (value) => ({ content: [{ type: 'text', text: value }] });

const legacy = legacyFor(process.argv[2]);

const fixture = () => {
  const server = new McpServer(
    { name: 'modern-fixture', title: 'Modern fixture', version: '1.0.0' },
    { capabilities: { logging: {} }, instructions: 'A fixture for tests. Nothing here is real.' },
  );

  server.registerTool(
    'add',
    {
      title: 'Add',
      description: 'Adds two numbers and returns structured content.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ a, b }) => ({ ...text(`${a + b}`), structuredContent: { sum: a + b } }),
  );

  server.registerTool(
    'range',
    {
      description: 'Returns an array as structured content, which only the modern era allows.',
      inputSchema: z.object({ count: z.int().min(0).max(1000) }),
      outputSchema: z.array(z.int()),
    },
    async ({ count }) => {
      const numbers = Array.from({ length: count }, (_, i) => i);
      return { ...text(JSON.stringify(numbers)), structuredContent: numbers };
    },
  );

  server.registerTool(
    'count',
    {
      description: 'Reports progress and logs at every step, until it finishes or is cancelled.',
      inputSchema: z.object({ steps: z.int().min(1).max(10_000), delayMs: z.int().min(0).max(10_000).default(0) }),
    },
    async ({ steps, delayMs }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (let step = 1; step <= steps; step++) {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        if (mcpReq.signal.aborted) return text(`cancelled after ${step - 1} of ${steps}`);
        await mcpReq.log('info', { step }, 'count');
        if (progressToken !== undefined) {
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress: step, total: steps, message: `step ${step} of ${steps}` },
          });
        }
      }
      return text(`counted to ${steps}`);
    },
  );

  server.registerTool(
    'in-region',
    {
      description: 'Over HTTP a client must copy `region` into the header Mcp-Param-Region.',
      inputSchema: z.object({
        region: z.string().meta({ 'x-mcp-header': 'Region' }),
        query: z.string().default('select 1'),
      }),
    },
    async ({ region, query }) => text(`${query} in ${region}`),
  );

  server.registerTool('grow', { description: 'Registers one more tool and notifies subscribers.' }, async () => {
    server.registerTool('grown', { description: 'Registered by `grow`.' }, async () => text('grown'));
    return text('grew');
  });

  server.registerTool(
    'unsafe-icon',
    {
      description: 'Has icons with addresses that a client must not load.',
      inputSchema: z.object({}),
      icons: [
        { src: 'javascript:globalThis.iconRan=true', mimeType: 'image/png' },
        { src: 'file:///etc/passwd', mimeType: 'image/png' },
      ],
    },
    async () => text('the icon did nothing'),
  );

  server.registerTool(
    'ask',
    { description: 'Asks for input twice before it answers: for a form and a sampling result, then for a URL.' },
    async ({ mcpReq }) => {
      const given = mcpReq.inputResponses ?? {};
      if (mcpReq.requestState?.() === 'twice') return text(JSON.stringify(given));
      if (given.form === undefined) {
        return inputRequired({
          inputRequests: {
            form: inputRequired.elicit({
              message: 'How many?',
              requestedSchema: { type: 'object', properties: { n: { type: 'integer', default: 3 } }, required: ['n'] },
            }),
            words: inputRequired.createMessage({
              messages: [{ role: 'user', content: { type: 'text', text: 'Say it.' } }],
              maxTokens: 10,
            }),
          },
        });
      }
      return inputRequired({
        inputRequests: { place: inputRequired.elicitUrl({ message: 'Go there.', url: 'https://example.test/go' }) },
        requestState: 'twice',
      });
    },
  );

  server.registerTool('throws', { description: 'Throws an error, which the SDK turns into `isError`.' }, async () => {
    throw new Error('thrown on purpose');
  });

  server.registerResource('notes', 'fixture://notes', { title: 'Notes', mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'A note.' }],
  }));

  server.registerPrompt(
    'greet',
    { description: 'Has one required argument.', argsSchema: z.object({ name: z.string() }) },
    ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}.` } }] }),
  );

  return server;
};

if (process.argv[3] === 'http') listen();
else serveStdio(fixture, { legacy });

function listen() {
  const { fetch: answer } = createMcpHandler(fixture, { legacy: legacy === 'serve' ? 'stateless' : 'reject' });
  const port = Number(process.env.PORT);
  createServer(async (incoming, outgoing) => {
    const { method, headers } = incoming;
    const body = method === 'POST' ? { body: Readable.toWeb(incoming), duplex: 'half' } : {};
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const request = new Request(`http://127.0.0.1:${port}${incoming.url}`, {
      method,
      headers,
      signal: gone.signal,
      ...body,
    });
    const response = await answer(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (response.body)
      Readable.fromWeb(response.body)
        .on('error', () => {})
        .pipe(outgoing);
    else outgoing.end();
  }).listen(port, '127.0.0.1');
}
