import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { attributesOf, type TestReceiver, testReceiver } from '@/proxy/otel/test-telemetry';
import { ask, type TestHttpTaps, testHttpTaps } from './http/test-http-tap';
import { finished, type TestTaps, testTaps } from './test-tap';

/** Answers each request with a result, which has a value that nobody else may see. */
const SERVER =
  'let t="";process.stdin.on("data",(d)=>{t+=d;for(let e;(e=t.indexOf("\\n"))>=0;t=t.slice(e+1)){const m=JSON.parse(t.slice(0,e));if("id" in m)console.log(JSON.stringify({jsonrpc:"2.0",id:m.id,result:{content:[{type:"text",text:"PLANTED-RESULT"}]}}))}})';
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const call = (id: number) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'add', arguments: { a: 'PLANTED-ARGUMENT' }, _meta: { traceparent: TRACEPARENT } },
  });

let taps: TestTaps;
beforeAll(async () => {
  taps = await testTaps();
});
afterAll(() => taps.remove());

async function newReceiver(answer?: Parameters<typeof testReceiver>[0]): Promise<TestReceiver> {
  const receiver = await testReceiver(answer);
  onTestFinished(() => receiver.close());
  return receiver;
}

/** The recording and the frame that each span names. */
const placesOf = (receiver: TestReceiver) =>
  receiver.spans().map((span) => {
    const attributes = attributesOf(span);
    return [attributes['mcp_inspect.recording.file'], attributes['mcp_inspect.recording.frame']] as const;
  });

test('a tapped session is exported below the host’s spans, and each span names its frame', async () => {
  const receiver = await newReceiver();
  const child = taps.start(['--otel', `export=${receiver.url}`, '--host', 'cursor'], [process.execPath, '-e', SERVER]);
  for (let id = 1; id <= 3; id++) child.stdin.write(`${call(id)}\n`);
  for (let lines = 0; lines < 3; ) lines += String((await once(child.stdout, 'data'))[0]).split('\n').length - 1;
  child.stdin.end();
  const { code, stderr } = await finished(child);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const places = placesOf(receiver);
  expect(places).toHaveLength(3);
  for (const [file, frame] of places) {
    const { bytes } = taps.read(file as string).frames[(frame as number) - 1]!;
    expect(Buffer.from(bytes).toString()).toContain('"tools/call"');
  }
  for (const span of receiver.spans()) {
    expect(span).toMatchObject({ traceId: TRACEPARENT.slice(3, 35), parentSpanId: TRACEPARENT.slice(36, 52) });
    expect(attributesOf(span)).toMatchObject({ 'mcp_inspect.client.name': 'cursor' });
  }
  for (const { text } of receiver.received) expect(text).not.toContain('PLANTED');
});

test('a session in several files is exported once, with the file and frame of each call', async () => {
  const receiver = await newReceiver();
  const before = taps.names();
  const child = taps.start(
    ['--otel', `export=${receiver.url}`, '--rotate', 'size=1KB'],
    [process.execPath, '-e', SERVER],
  );
  child.stdin.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}\n');
  for (let id = 1; id <= 30; id++) child.stdin.write(`${call(id)}\n`);
  for (let lines = 0; lines < 31; ) lines += String((await once(child.stdout, 'data'))[0]).split('\n').length - 1;
  child.stdin.end();
  await finished(child);
  expect(taps.names().length - before.length).toBeGreaterThan(2);
  const spans = receiver.spans();
  expect(spans.map(({ name }) => name).sort()).toEqual(['initialize', ...new Array(30).fill('tools/call add')]);
  for (const span of spans) {
    const attributes = attributesOf(span);
    const file = String(attributes['mcp_inspect.recording.file']);
    const { bytes } = taps.read(file).frames[Number(attributes['mcp_inspect.recording.frame']) - 1]!;
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ id: Number(attributes['jsonrpc.request.id']) });
  }
});

test('without --otel export nothing is exported, whatever the environment says', async () => {
  const receiver = await newReceiver();
  const through = `OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.url} exec "$@"`;
  const child = taps.start([], [process.execPath, '-e', SERVER], through);
  child.stdin.end(`${call(1)}\n`);
  await finished(child);
  expect(receiver.received).toEqual([]);
  const asked = taps.start(['--otel', 'export=env'], [process.execPath, '-e', SERVER], through);
  asked.stdin.end(`${call(1)}\n`);
  await finished(asked);
  expect(receiver.spans()).toHaveLength(1);
});

test('a receiver that hangs changes nothing for the host, and its secret header is nowhere', async () => {
  const receiver = await newReceiver(() => {});
  const through = 'OTEL_EXPORTER_OTLP_HEADERS=authorization=HEADER-SECRET exec "$@"';
  const child = taps.start(['--otel', `export=${receiver.url}`], [process.execPath, '-e', SERVER], through);
  child.stdin.end(`${call(1)}\n`);
  const { code, stdout, stderr } = await finished(child);
  expect(code).toBe(0);
  expect(JSON.parse(String(stdout))).toMatchObject({ id: 1 });
  expect(stderr).toMatch(/1 span could not be exported/);
  expect(stderr).not.toContain('HEADER-SECRET');
  expect(receiver.received[0]!.headers.authorization).toBe('HEADER-SECRET');
  const frames = taps.read(taps.names().at(-1)!).frames.map(({ bytes }) => Buffer.from(bytes).toString());
  expect(frames.join()).not.toContain('HEADER-SECRET');
  expect(frames.join()).toContain('"event":"exit"');
});

test('an endpoint that can’t be used is refused before the server starts', async () => {
  const { code, stderr } = await finished(taps.start(['--otel=export=nowhere'], [process.execPath, '-e', SERVER]));
  expect(code).toBe(2);
  expect(stderr).toContain('is not an http or https URL');
});

test('sessions of a tapped URL are exported', async () => {
  const httpTaps: TestHttpTaps = await testHttpTaps();
  onTestFinished(() => httpTaps.remove());
  const receiver = await newReceiver();
  const url = await httpTaps.serve((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number };
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('Mcp-Session-Id', 'SESSION-SECRET');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message: 'PLANTED' } }));
    });
  });
  const tap = await httpTaps.start(url, { otlp: receiver.url });
  const headers = { 'Content-Type': 'application/json', 'Mcp-Session-Id': 'SESSION-SECRET' };
  for (const id of [1, 2]) await ask(tap.url, { headers, body: call(id) });
  await tap.close();
  const spans = receiver.spans();
  expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
    ['tools/call add', 2],
    ['tools/call add', 2],
  ]);
  const attributes = attributesOf(spans[1]!);
  expect(attributes).toMatchObject({
    'error.type': '-32602',
    'network.transport': 'tcp',
    'server.address': '127.0.0.1',
    'mcp.session.id': `${attributes['mcp_inspect.recording.id']}.1`,
  });
  for (const { text } of receiver.received) expect(text).not.toMatch(/PLANTED|SESSION-SECRET/);
});
