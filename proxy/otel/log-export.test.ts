import { expect, test } from 'vitest';
import { answered, asked, type FrameSeed, framesOf, got, happened, onChannel, sent } from '@/lib/store/test-frames';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { EXPORTED_LOG_FRAMES, LogExport } from './log-export';
import { attributesOf, KeptTelemetry } from './test-telemetry';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const [ONE, TWO] = ['b7ad6b7169203331', '00f067aa0ba902b7'];
const contextOf = (spanId: string, trace = TRACE) => ({ _meta: { traceparent: `00-${trace}-${spanId}-01` } });
const PART = { recording: 'r-1', file: 'a.mcpr.jsonl', seed: 'r-1' };

type Start = Extract<LifecycleEvent, { event: 'start'; transport: 'stdio' }>;
const start = (more: Partial<Start> = {}) =>
  happened({
    event: 'start',
    at: '2026-01-02T03:04:05.000Z',
    name: 's',
    transport: 'stdio',
    command: 'node',
    args: [],
    cwd: '/',
    environment: { policy: 'shell', inherited: [], added: [] },
    protocol: 'auto',
    ...more,
  });
const tapped = start({ tap: { session: 's1', part: 1, host: 'cursor' } });
const opened = happened({ event: 'open', era: 'legacy', version: '2025-11-25' });
const failed = (id: unknown, code: number, message: string) => got({ jsonrpc: '2.0', id, error: { code, message } });
const call = (id: number, more: object = {}) =>
  asked(id, 'tools/call', { name: 'add', arguments: { a: 'ARG' }, ...more });

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

function exported(seeds: readonly FrameSeed[], pieces = seeds.length) {
  const sink = new KeptTelemetry();
  const log = new LogExport(PART, sink);
  const frames = framesOf(seeds);
  for (let at = 0; at < frames.length; at += pieces) log.add(frames.slice(at, at + pieces));
  const unfinished = log.end();
  return { ...sink, sink, unfinished, spans: sink.spans.map((span) => ({ ...span, attributes: attributesOf(span) })) };
}

const END = [happened({ event: 'closing', reason: 'user' }), happened({ event: 'closed' })];

test('each request becomes a span once it has ended, with its frames', () => {
  const { spans, unfinished } = exported([
    start(),
    opened,
    call(1),
    asked(2, 'resources/read', { uri: 'file:///x?token=ARG' }),
    failed(2, -32002, 'no TEXT'),
    answered(1, { content: [{ type: 'text', text: 'RESULT' }], isError: true }),
    asked(3, 'prompts/get', { name: 'p' }),
    call(4),
    happened({ event: 'timeout', id: 4, method: 'tools/call', afterMs: 5 }),
    sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3, reason: 'TEXT' } }),
    call(5),
    call(6),
    happened({ event: 'failed', code: 'server-exited', message: 'TEXT', advice: '' }),
  ]);
  expect(
    spans.map(({ name, attributes }) => [
      name,
      attributes['error.type'],
      attributes['mcp_inspect.recording.frame'],
      attributes['mcp_inspect.recording.response_frame'],
    ]),
  ).toEqual([
    ['resources/read', '-32002', 4, 5],
    ['tools/call add', 'tool_error', 3, 6],
    ['tools/call add', 'timeout', 8, undefined],
    ['prompts/get p', 'cancelled', 7, undefined],
    ['tools/call add', 'connection_lost', 11, undefined],
    ['tools/call add', 'connection_lost', 12, undefined],
  ]);
  expect(spans[1]).toMatchObject({ startTimeUnixNano: '1767323045003000000', endTimeUnixNano: '1767323045006000000' });
  expect(unfinished).toBe(0);
  // Arguments, results and texts of errors stay here.
  expect(JSON.stringify(spans)).not.toMatch(/ARG|RESULT|TEXT/);
});

test('the result does not depend on how the frames arrive, and ids are the same each time', () => {
  const seeds = [start(), opened, call(1), call(2), answered(2, {}), answered(1, {}), ...END];
  const whole = exported(seeds).spans;
  expect(whole).toHaveLength(2);
  for (const pieces of [1, 2, 3]) expect(exported(seeds, pieces).spans).toEqual(whole);
  expect(new Set(whole.map(({ spanId }) => spanId)).size).toBe(2);
  expect(whole[0]!.traceId).toMatch(/^[0-9a-f]{32}$/);
});

test('a request that never ends has no span', () => {
  const { spans, unfinished } = exported([start(), opened, call(1)]);
  expect(spans).toEqual([]);
  expect(unfinished).toBe(1);
});

test('a request that is answered in a batch has ended', () => {
  const { spans, unfinished } = exported([start(), opened, call(1), got([{ jsonrpc: '2.0', id: 1, result: {} }])]);
  expect(spans).toMatchObject([{ name: 'tools/call add', status: { code: 0 } }]);
  expect(unfinished).toBe(0);
});

test('the span of our own request has the ids that the server got', () => {
  const { spans } = exported([start(), opened, call(1, contextOf(ONE)), answered(1, {}), ...END]);
  expect(spans).toMatchObject([{ traceId: TRACE, spanId: ONE, flags: 0x101 }]);
  expect(spans[0]).not.toHaveProperty('parentSpanId');
});

test('the span of a host’s request is below the host’s, in its trace', () => {
  const { spans } = exported([tapped, opened, call(1, contextOf(ONE)), answered(1, {}), ...END]);
  expect(spans).toMatchObject([{ traceId: TRACE, parentSpanId: ONE, flags: 0x301 }]);
  expect(spans[0]!.spanId).not.toBe(ONE);
  expect(spans[0]!.attributes['mcp_inspect.client.name']).toBe('cursor');
});

test('a context that the user gives for all requests is their parent', () => {
  const meta = contextOf(ONE)._meta;
  const seeds = [start({ profile: { meta } }), opened, call(1, { _meta: meta }), answered(1, {}), ...END];
  expect(exported(seeds).spans).toMatchObject([{ traceId: TRACE, parentSpanId: ONE }]);
});

test('a context in a request of a pinned version is its parent, because the user wrote it', () => {
  const pinned = start({ protocol: '2025-11-25' });
  const seeds = [pinned, opened, call(1, contextOf(ONE)), answered(1, {}), ...END];
  expect(exported(seeds).spans).toMatchObject([{ traceId: TRACE, parentSpanId: ONE }]);
});

test('a context that several requests carry is the span of the first only', () => {
  const { spans } = exported([
    start(),
    opened,
    call(1, contextOf(ONE)),
    answered(1, {}),
    call(2, contextOf(ONE)),
    answered(2, {}),
    ...END,
  ]);
  expect(spans).toMatchObject([{ spanId: ONE }, { traceId: TRACE, parentSpanId: ONE }]);
});

test('an invalid context is ignored', () => {
  const { spans } = exported([start(), opened, call(1, contextOf('0'.repeat(16))), answered(1, {}), ...END]);
  expect(spans[0]!.traceId).not.toBe(TRACE);
});

test('requests of the server are below the call that caused them', () => {
  const { spans } = exported([
    start(),
    opened,
    call(1, contextOf(ONE)),
    got({ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: { messages: ['ARG'] } }),
    sent({ jsonrpc: '2.0', id: 1, result: { text: 'RESULT' } }),
    answered(1, {}),
    ...END,
  ]);
  expect(spans).toMatchObject([
    { name: 'sampling/createMessage', kind: 2, traceId: TRACE, parentSpanId: ONE },
    { name: 'tools/call add', kind: 3, spanId: ONE },
  ]);
});

test('rounds of input are below their call, which lasts until the last of them', () => {
  const asks = {
    resultType: 'input_required',
    requestState: 's',
    inputRequests: { who: { method: 'elicitation/create' } },
  };
  const { spans } = exported([
    start(),
    opened,
    call(1, contextOf(ONE)),
    answered(1, asks),
    call(2, { ...contextOf(TWO), requestState: 's', inputResponses: { who: { action: 'accept', content: 'ARG' } } }),
    answered(2, { content: [], isError: true }),
    ...END,
  ]);
  expect(spans).toMatchObject([
    { name: 'elicitation/create', kind: 2, traceId: TRACE, parentSpanId: ONE },
    { name: 'tools/call add', spanId: TWO, parentSpanId: ONE, attributes: { 'mcp_inspect.input.round': 2 } },
    {
      name: 'tools/call add',
      spanId: ONE,
      status: { code: 2 },
      attributes: {
        'mcp_inspect.input.rounds': 1,
        'error.type': 'tool_error',
        'mcp_inspect.recording.response_frame': 6,
      },
    },
  ]);
  expect(spans[0]!.startTimeUnixNano).toBe('1767323045004000000');
  expect(spans[0]!.endTimeUnixNano).toBe('1767323045005000000');
  expect(spans[2]!.endTimeUnixNano).toBe(spans[1]!.endTimeUnixNano);
  expect(JSON.stringify(spans)).not.toContain('ARG');
});

test('a call that nobody gives input for ends with its connection', () => {
  const asks = { resultType: 'input_required', inputRequests: {} };
  const { spans, unfinished } = exported([start(), opened, call(1), answered(1, asks), ...END]);
  expect(spans).toMatchObject([{ name: 'tools/call add', status: { code: 0 } }]);
  expect(unfinished).toBe(0);
});

test('polls of a task are below its call, which lasts until the task has ended', () => {
  const { spans } = exported([
    start(),
    opened,
    call(1, contextOf(ONE)),
    answered(1, { task: { taskId: 't', status: 'working' } }),
    asked(2, 'tasks/get', { taskId: 't' }),
    answered(2, { taskId: 't', status: 'completed' }),
    asked(3, 'tasks/result', { taskId: 't' }),
    answered(3, { content: [] }),
    ...END,
  ]);
  expect(spans.map(({ name }) => name).sort()).toEqual(['tasks/get', 'tasks/result', 'tools/call add']);
  const called = spans.find(({ spanId }) => spanId === ONE)!;
  expect(called.attributes).toMatchObject({ 'mcp_inspect.task': true });
  expect(BigInt(called.endTimeUnixNano) - BigInt(called.startTimeUnixNano)).toBeGreaterThanOrEqual(3_000_000n);
  for (const poll of spans.filter(({ name }) => name.startsWith('tasks/'))) {
    expect(poll).toMatchObject({ traceId: TRACE, parentSpanId: ONE });
  }
});

test('a request that is sent again is below the first, with its number', () => {
  const { spans } = exported([
    start(),
    opened,
    call(1, contextOf(ONE)),
    failed(1, -32020, 'x'),
    happened({ event: 'retry', id: 1, method: 'tools/call', reason: 'x' }),
    call(2, contextOf(TWO)),
    answered(2, {}),
    ...END,
  ]);
  expect(spans).toMatchObject([
    { spanId: ONE, status: { code: 2 } },
    { spanId: TWO, parentSpanId: ONE, attributes: { 'http.request.resend_count': 1 } },
  ]);
});

test('the end of a subscription is not an error', () => {
  const { spans } = exported([start(), opened, asked(1, 'subscriptions/listen', {}), ...END]);
  expect(spans).toMatchObject([{ name: 'subscriptions/listen', status: { code: 0 } }]);
});

test('frames that another file of a tapped session repeats make no spans', () => {
  const again = start({ tap: { session: 's1', part: 2, repeated: 3 } });
  const { spans } = exported([
    again,
    asked(1, 'initialize'),
    answered(1, {}),
    opened,
    call(2),
    answered(2, {}),
    ...END,
  ]);
  expect(spans.map(({ name }) => name)).toEqual(['tools/call add']);
});

test('a session of several files has their ids and frames, and a call across them has both', () => {
  const sink = new KeptTelemetry();
  const log = new LogExport(PART, sink);
  const frames = framesOf([
    tapped,
    opened,
    call(1),
    call(2),
    answered(2, {}),
    answered(1, {}),
    call(3),
    answered(3, {}),
  ]);
  log.add(frames.slice(0, 4));
  log.beginPart({ recording: 'r-2', seed: 'r-2' }, 5, 11);
  log.add(frames.slice(4));
  const facts = sink.spans
    .map(attributesOf)
    .map((span) => [
      span['mcp_inspect.recording.id'],
      span['mcp_inspect.recording.frame'],
      span['mcp_inspect.recording.response_frame'],
    ]);
  expect(facts).toEqual([
    ['r-1', 4, undefined],
    ['r-1', 3, undefined],
    ['r-2', 13, 14],
  ]);
});

test('a gap ends what is open, and the rest is exported', () => {
  const sink = new KeptTelemetry();
  const log = new LogExport(PART, sink);
  const frames = framesOf([start(), opened, call(1), call(2), answered(1, {}), call(3), answered(3, {})]);
  log.add(frames.filter(({ seq }) => seq !== 4));
  expect(sink.spans.map((span) => attributesOf(span)['mcp_inspect.recording.frame'])).toEqual([6]);
  expect(attributesOf(sink.spans[0]!)).toMatchObject({ 'mcp.protocol.version': '2025-11-25' });
  expect(log.end()).toBe(1);
});

/** Frames after which a log is replaced, and those of a log that is replaced twice. */
const [REPLACED, MANY] = process.env.TEST_LONG ? [EXPORTED_LOG_FRAMES, 42_000] : [1000, 2200];

test('a log of any length is exported in bounded memory', () => {
  const sink = new KeptTelemetry();
  const log = new LogExport(PART, sink, undefined, REPLACED);
  const pair = framesOf([call(1), answered(1, {})]);
  log.add(framesOf([start(), opened]));
  for (let seq = 3; seq < MANY + 3; seq += 2) {
    log.add(pair.map((frame, index) => ({ ...frame, seq: seq + index, time: seq + index })));
  }
  expect(sink.spans).toHaveLength(MANY / 2);
  const last = attributesOf(sink.spans.at(-1)!);
  expect(last).toMatchObject({ 'mcp_inspect.recording.frame': MANY + 1, 'mcp.protocol.version': '2025-11-25' });
}, 60_000);

test('hostile frames make no spans, and do not stop it', () => {
  const { spans } = exported([
    start(),
    opened,
    sent('{"jsonrpc":'),
    sent('[]'),
    sent('null'),
    sent({ id: {}, method: 3 }),
    onChannel('otel', 'x'),
    onChannel('otel', { span: {} }),
    onChannel('http', '{"kind":"end"'),
    onChannel('zzz', 1),
    sent({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(100_000), params: { _meta: [] } }),
    got({ jsonrpc: '2.0', id: 1, error: { code: 'TEXT' } }),
    call(9),
    answered(9, {}),
    ...END,
  ]);
  expect(spans).toHaveLength(2);
  expect(JSON.stringify(spans).length).toBeLessThan(6000);
});

test('spans of the server are passed on with their resource, and without arguments', () => {
  const span = {
    traceId: TRACE,
    spanId: TWO,
    parentSpanId: ONE,
    name: 'select',
    kind: 1,
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
    attributes: [attribute('db', 'x'), attribute('gen_ai.tool.call.arguments', 'ARG')],
    events: [{ timeUnixNano: '1', name: 'e', attributes: [attribute('gen_ai.prompt.variable.user', 'ARG')] }],
  };
  const { foreign } = exported([
    start(),
    opened,
    onChannel('otel', { resource: 'd1', attributes: [attribute('service.name', 'files')] }),
    onChannel('otel', { service: 'files', of: 'd1', scope: 'pg', scopeVersion: '8.1', span }),
  ]).sink;
  expect(foreign).toMatchObject([
    {
      span: { traceId: TRACE, spanId: TWO, parentSpanId: ONE, attributes: [{ key: 'db' }] },
      reporter: {
        resource: { attributes: [attribute('service.name', 'files')] },
        scope: { name: 'pg', version: '8.1' },
      },
    },
  ]);
  expect(JSON.stringify(foreign)).not.toContain('ARG');
});

test('no attribute with content is passed on, by whichever instrumentation', () => {
  const names = ['gen_ai.prompt', 'gen_ai.prompt.0.content', 'gen_ai.completion', 'gen_ai.prompt.variable.x'];
  const others = ['input.value', 'output.value', 'traceloop.entity.input', 'llm.input_messages.0.message.content'];
  const content = [...names, ...others, 'mcp.session.id'].map((name) => attribute(name, 'ARG'));
  const attributes = [...content, attribute('gen_ai.prompt.name', 'review')];
  const span = {
    traceId: TRACE,
    spanId: ONE,
    name: 'x',
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
    attributes,
    events: [{ name: 'e', attributes }],
  };
  const { foreign } = exported([start(), opened, onChannel('otel', { service: 'files', of: 'd1', span })]);
  expect(foreign).toHaveLength(1);
  expect(JSON.stringify(foreign)).not.toContain('ARG');
  expect(JSON.stringify(foreign).match(/review/g)).toHaveLength(2);
});
