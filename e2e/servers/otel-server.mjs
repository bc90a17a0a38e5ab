// A server with the OpenTelemetry SDK for Node. Its tool works in a span that continues the trace of the request, as
// docs/otel.md shows. On stdio, or with --http at a port that it prints.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { z } from 'zod';

const tracer = trace.getTracer('otel-server', '1.0.0');

/** Runs a handler in a span that continues the trace of its request. */
const traced =
  (name, handler) =>
  (...args) =>
    context.with(propagation.extract(context.active(), args.at(-1)?._meta ?? {}), () =>
      tracer.startActiveSpan(name, async (span) => {
        try {
          return await handler(...args);
        } catch (error) {
          span.recordException(error);
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      }),
    );

function createMcpServer() {
  const server = new McpServer({ name: 'otel-server', version: '1.0.0' });
  server.registerTool(
    'add',
    { description: 'Adds two numbers', inputSchema: { a: z.number(), b: z.number() } },
    traced('tools/call add', async ({ a, b }) => {
      await tracer.startActiveSpan('work', async (span) => {
        span.setAttribute('result', a + b);
        await readFile(new URL(import.meta.url));
        span.end();
      });
      return { content: [{ type: 'text', text: String(a + b) }] };
    }),
  );
  // The SDK calls a handler without an input schema with one argument.
  server.registerTool(
    'break',
    { description: 'Fails' },
    traced('tools/call break', async () => {
      throw new Error('broken');
    }),
  );
  return server;
}

if (process.argv[2] === '--http') {
  const http = createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.on('close', () => transport.close());
    await createMcpServer().connect(transport);
    await transport.handleRequest(request, response);
  });
  // Room for a thousand calls that come at once.
  http.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => console.log(http.address().port));
} else await createMcpServer().connect(new StdioServerTransport());
