import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { SpanConnection, SpanExchange } from '@/lib/otel/exchange-spans';
import { OperationMetrics } from '@/lib/otel/operation-metrics';
import type { WrittenSpan } from '@/lib/otel/write-otlp';
import type { SpanSink } from './log-export';

/** A request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: {
    readonly resourceSpans?: readonly {
      readonly resource: { readonly attributes: readonly unknown[] };
      readonly scopeSpans: readonly { readonly scope: object; readonly spans: readonly WrittenSpan[] }[];
    }[];
    readonly resourceMetrics?: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[] }[];
  };
}

interface Metric {
  readonly name: string;
  readonly histogram: { readonly dataPoints: readonly { readonly count: number }[] };
}

/** A receiver that keeps what it gets. */
export interface TestReceiver {
  readonly url: string;
  readonly received: Received[];
  /** The spans received so far. */
  spans(): readonly WrittenSpan[];
  close(): Promise<void>;
}

/** Starts a receiver on a free port. `answer` answers each request, by default with success. */
export async function testReceiver(
  answer: (response: ServerResponse, received: Received, count: number) => void = (response) => response.end('{}'),
): Promise<TestReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
      const one = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) };
      received.push(one);
      answer(response, one, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    spans: () =>
      received.flatMap(({ body }) =>
        (body.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A sink that keeps spans. */
export class KeptTelemetry implements SpanSink {
  readonly spans: WrittenSpan[] = [];
  readonly foreign: { readonly span: object; readonly reporter: object }[] = [];
  readonly metrics = new OperationMetrics(0);

  addSpan(span: object): void {
    this.spans.push(span as WrittenSpan);
  }

  addForeignSpan(span: object, reporter: object): void {
    this.foreign.push({ span, reporter });
  }
}

/** The attributes of a span by name. */
export function attributesOf({ attributes }: WrittenSpan): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** A call of a tool that took 250 ms. */
export const CALL: SpanExchange = {
  method: 'tools/call',
  toServer: true,
  id: 7,
  subject: 'add',
  startUs: 1_000_000,
  endUs: 1_250_000,
  outcome: 'ok',
  frame: 12,
  responseFrame: 13,
  requestBytes: 100,
  responseBytes: 200,
  session: 1,
};

/** A connection to a server at a URL. */
export const CONNECTION: SpanConnection = {
  atMs: Date.parse('2026-01-02T03:04:05.678Z'),
  recording: 'r-1',
  file: 'a.mcpr.jsonl',
  transport: 'tcp',
  address: 'mcp.example',
  port: 443,
  protocolVersion: '2026-07-28',
  server: 'files',
  serverVersion: '1.2',
  client: 'mcp-inspect',
};

/** A place in a trace that a host began. */
export const PLACE = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentSpanId: '00f067aa0ba902b7',
  isRemote: true as const,
  sampled: true,
};
