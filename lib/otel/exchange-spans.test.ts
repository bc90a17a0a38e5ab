import { expect, test } from 'vitest';
import { exchangeSpan, type SpanConnection, type SpanExchange } from './exchange-spans';
import { OperationMetrics } from './operation-metrics';
import { DURATION_BOUNDS } from './semantic-conventions';

const CALL: SpanExchange = {
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
};
const CONNECTION: SpanConnection = {
  atMs: Date.parse('2026-01-02T03:04:05.678Z'),
  recording: 'r-1',
  transport: 'pipe',
  protocolVersion: '2025-11-25',
};
const PLACE = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), sampled: true };

function spanOf(facts: Partial<SpanExchange>, connection: Partial<SpanConnection> = {}) {
  const span = exchangeSpan({ ...CALL, ...facts }, PLACE, { ...CONNECTION, ...connection });
  const attributes = Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  return { ...span, attributes };
}

test('a call of a tool has the names of the conventions, and its frame', () => {
  const { name, kind, status, startTimeUnixNano, endTimeUnixNano, attributes } = spanOf({});
  expect({ name, kind, status }).toEqual({ name: 'tools/call add', kind: 3, status: { code: 0 } });
  expect(startTimeUnixNano).toBe('1767323046678000000');
  expect(endTimeUnixNano).toBe('1767323046928000000');
  expect(attributes).toEqual({
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': 'add',
    'gen_ai.operation.name': 'execute_tool',
    'mcp.protocol.version': '2025-11-25',
    'network.transport': 'pipe',
    'jsonrpc.request.id': '7',
    'mcp_inspect.recording.id': 'r-1',
    'mcp_inspect.recording.frame': 12,
    'mcp_inspect.recording.response_frame': 13,
    'mcp_inspect.request.size': 100,
    'mcp_inspect.response.size': 200,
  });
});

test.each([
  ['a tool’s error', { outcome: 'tool-error' }, 'tool_error', 2],
  ['a JSON-RPC error', { outcome: 'error', code: -32602 }, '-32602', 2],
  ['a timeout', { outcome: 'timeout' }, 'timeout', 2],
  ['a lost connection', { outcome: 'lost' }, 'connection_lost', 2],
  ['a cancelled call', { outcome: 'cancelled' }, 'cancelled', 2],
  ['an error without a code', { outcome: 'error' }, '_OTHER', 2],
  // The client that answers has not failed: the server asked for something wrong.
  ['a wrong request of the server', { outcome: 'error', code: -32601, toServer: false }, undefined, 0],
  ['a failure of the client', { outcome: 'error', code: -32603, toServer: false }, '-32603', 2],
] as const)('%s has its type, and a status without text', (_, facts, type, code) => {
  const { attributes, status } = spanOf(facts);
  expect(attributes['error.type']).toBe(type);
  expect(status).toEqual({ code });
});

test('a prompt has its name, and a resource its URI without what may be an argument', () => {
  expect(spanOf({ method: 'prompts/get', subject: 'review' })).toMatchObject({
    name: 'prompts/get review',
    attributes: { 'gen_ai.prompt.name': 'review' },
  });
  const { name, attributes } = spanOf({ method: 'resources/read', subject: 'db://me:pw@host/t?key=k1#x' });
  expect(name).toBe('resources/read');
  expect(attributes['mcp.resource.uri']).toBe('db://host/t');
  const odd = spanOf({ method: 'resources/read', subject: 'db://me:p@w@host/t' });
  expect(odd.attributes['mcp.resource.uri']).toBe('db://host/t');
  // A task id, the level of a log, and a completed argument are subjects too.
  expect(JSON.stringify(spanOf({ method: 'tasks/get', subject: 'task-1' }))).not.toContain('task-1');
});

test('a server at a URL has its address, and its session a number', () => {
  const url = { transport: 'tcp', address: 'mcp.example', port: 443 } as const;
  expect(spanOf({ session: 2 }, url).attributes).toMatchObject({
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'mcp.session.id': 'r-1.2',
    'server.address': 'mcp.example',
    'server.port': 443,
  });
  expect(spanOf({ toServer: false }, url).attributes).not.toHaveProperty('server.address');
});

test('long names are cut', () => {
  const { name, attributes } = spanOf({ subject: 'x'.repeat(10_000) });
  expect(name).toHaveLength(512);
  expect(attributes['gen_ai.tool.name']).toHaveLength(512);
});

function pointsOf(metrics: OperationMetrics, name: string) {
  const found = metrics.metrics(5000) as readonly { name: string; histogram: { dataPoints: readonly any[] } }[];
  return found.find((metric) => metric.name === name)?.histogram.dataPoints ?? [];
}

test('durations are counted in buckets, by method, tool and error', () => {
  const metrics = new OperationMetrics(1000);
  for (const ms of [10, 11, 400_000]) metrics.addExchange({ ...CALL, endUs: CALL.startUs + ms * 1000 }, CONNECTION);
  metrics.addExchange({ ...CALL, outcome: 'tool-error' }, CONNECTION);
  metrics.addExchange({ ...CALL, method: 'roots/list', toServer: false }, CONNECTION);
  metrics.addSession(3, CONNECTION);
  const [ok, failed] = pointsOf(metrics, 'mcp.client.operation.duration');
  expect(ok.bucketCounts).toEqual([1, 1, ...new Array(DURATION_BOUNDS.length - 2).fill(0), 1]);
  expect(ok).toMatchObject({
    count: 3,
    min: 0.01,
    max: 400,
    startTimeUnixNano: '1000000000',
    timeUnixNano: '5000000000',
  });
  expect(failed.count).toBe(1);
  expect(JSON.stringify(ok)).not.toContain('jsonrpc.request.id');
  expect(pointsOf(metrics, 'mcp.server.operation.duration')).toHaveLength(1);
  expect(pointsOf(metrics, 'mcp.client.session.duration')).toMatchObject([{ sum: 3 }]);
});

test('any number of tools makes a bounded number of series, and loses no count', () => {
  const metrics = new OperationMetrics(0);
  for (let tool = 0; tool < 3000; tool++) metrics.addExchange({ ...CALL, subject: `t${tool}` }, CONNECTION);
  const points = pointsOf(metrics, 'mcp.client.operation.duration');
  expect(points).toHaveLength(1001);
  expect(points.reduce((sum, { count }) => sum + count, 0)).toBe(3000);
  expect(points.at(-1).attributes).toEqual([{ key: 'otel.metric.overflow', value: { boolValue: true } }]);
});
