import fc from 'fast-check';
import { BLOB_LIMITS } from '@/lib/recording/blobs';
import { encodeHeaderOrEnd, FrameEncoder, type FrameToRecord } from '@/lib/recording/encode-lines';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { Log } from '@/lib/store/log';
import { BatchReader } from '@/lib/wire/batch';
import { FLAG, type Frame, toChannel } from '@/lib/wire/frame';
import type { RecordedConnection } from './recorded-connection';
import { cutBatch } from './viewer';

const HEADER = encodeHeaderOrEnd(TEST_HEADER);

export type Said = Omit<FrameToRecord, 'time'>;

/** Longer than any string in a skim. */
export const LONG = 'x'.repeat(700);
export const out = (value: unknown): Said => protocol('to-server', JSON.stringify(value));
export const back = (value: unknown): Said => protocol('to-client', JSON.stringify(value));
export const event = (value: object): Said => said('lifecycle', 'to-client', JSON.stringify(value));
const http = (value: object): Said => said('http', 'to-client', JSON.stringify(value));

/** Like `back`, but with non-ASCII characters escaped, as some libraries write JSON. */
const backInAscii = (value: unknown): Said => {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return protocol('to-client', JSON.stringify(value).replace(/[\u0080-\uffff]/g, escaped));
};

function protocol(direction: Said['direction'], text: string | Uint8Array, flags = 0): Said {
  return { ...said('protocol', direction, text), flags };
}

export function said(channel: Said['channel'], direction: Said['direction'], text: string | Uint8Array): Said {
  return { channel, direction, flags: 0, bytes: typeof text === 'string' ? Buffer.from(text) : text };
}

/** Channels that nothing reads: reserved ones, and names from other programs. */
const OTHER_CHANNELS = ['app', 'model', 'otel', 'llm', 'constructor', '~'.repeat(64)].map((name) => toChannel(name)!);

const id = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom('1', 'å', '"', LONG));
/** Strings around a bound in bytes or in characters, with characters of one to four bytes. */
const aroundBounds = fc
  .array(fc.tuple(fc.constantFrom('a', 'é', '検', '😀', '\\', '\u0001', '\ud800'), fc.integer({ min: 1, max: 170 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((runs) => runs.map(([letter, count]) => letter.repeat(count)).join(''));
const text = fc.oneof(
  fc.constantFrom('', 'short', LONG, `${'é'.repeat(150)}${LONG}`, `${'\\"\u0001'.repeat(90)}`, '😀'.repeat(200)),
  fc.constantFrom('検'.repeat(80), 'ж'.repeat(120), '😀'.repeat(60)),
  fc.string({ minLength: 150, maxLength: 260, unit: 'binary' }),
  aroundBounds,
);
const arguments_ = fc.record({ text, deep: fc.constant({ a: [1, { b: LONG }], content: ['}', ']', '"'] }) });

/** A client’s and a server’s messages and other frames, some of them malformed. */
const stretch: fc.Arbitrary<readonly Said[]> = fc.oneof(
  fc.tuple(id, text, arguments_).map(([of, name, args]) => [
    out({
      jsonrpc: '2.0',
      id: of,
      method: 'tools/call',
      params: { name, arguments: args, _meta: { progressToken: of } },
    }),
  ]),
  fc
    .tuple(id, text, fc.boolean())
    .map(([of, words, isError]) => [
      back({ jsonrpc: '2.0', id: of, result: { content: [{ type: 'text', text: words }], isError } }),
    ]),
  fc
    .tuple(id, text, fc.constantFrom(undefined, 'd', { why: LONG }), fc.constantFrom(back, backInAscii))
    .map(([of, message, data, saidBack]) => [
      saidBack({ jsonrpc: '2.0', id: of, error: { code: -32020, message, data } }),
    ]),
  fc
    .tuple(id, text, fc.nat(9), fc.constantFrom(undefined, { x: LONG }), fc.constantFrom(back, backInAscii))
    .map(([progressToken, message, progress, _meta, saidBack]) => [
      saidBack({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress, total: 9, message, _meta },
      }),
    ]),
  text.map((data) => [back({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } })]),
  fc
    .tuple(id, fc.constantFrom('initialize', 'tools/list', 'resources/list', 'prompts/list', 'server/discover'), text)
    .map(([of, method, description]) => [
      out({ jsonrpc: '2.0', id: of, method, params: { cursor: description } }),
      back({ jsonrpc: '2.0', id: of, result: listed(description) }),
    ]),
  fc.tuple(id, fc.constantFrom('tools/list', 'ping')).map(([of, method]) => [out({ jsonrpc: '2.0', id: of, method })]),
  fc.tuple(id, text).map(([of, description]) => [back({ jsonrpc: '2.0', id: of, result: listed(description) })]),
  // A request of the server and its answer.
  fc.tuple(id, text, fc.boolean()).map(([of, message, sample]) => [
    back({
      jsonrpc: '2.0',
      id: of,
      method: sample ? 'sampling/createMessage' : 'elicitation/create',
      params: { message, elicitationId: message, _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't1' } } },
    }),
  ]),
  fc
    .tuple(id, text)
    .map(([of, answer]) => [out({ jsonrpc: '2.0', id: of, result: { action: 'accept', content: { answer } } })]),
  fc.tuple(id, text).map(([of, state]) => [
    back({
      jsonrpc: '2.0',
      id: of,
      result: {
        resultType: 'input_required',
        requestState: state,
        inputRequests: { q: { method: 'elicitation/create', params: { message: state } } },
      },
    }),
    event({ event: 'input', method: 'tools/call', phase: 'asked', id: of }),
  ]),
  fc.tuple(id, text).map(([of, requestState]) => [
    out({
      jsonrpc: '2.0',
      id: of,
      method: 'tools/call',
      params: { name: 'a', requestState, inputResponses: { q: LONG } },
    }),
  ]),
  // Long strings, some of them repeated.
  fc.tuple(id, fc.constantFrom('a', 'b')).map(([of, letter]) => [
    back({
      jsonrpc: '2.0',
      id: of,
      result: { content: [{ data: letter.repeat(BLOB_LIMITS.minBytes) }, { data: 'c'.repeat(BLOB_LIMITS.minBytes) }] },
    }),
  ]),
  // Tasks.
  fc.tuple(id, fc.constantFrom('t1', 't2', LONG)).map(([of, taskId]) => [
    back({
      jsonrpc: '2.0',
      id: of,
      result: { task: { taskId, status: 'working', statusMessage: LONG }, more: LONG },
    }),
    out({ jsonrpc: '2.0', id: of, method: 'tasks/get', params: { taskId, padding: LONG } }),
    back({
      jsonrpc: '2.0',
      method: 'notifications/tasks/status',
      params: { taskId, status: 'completed', padding: LONG },
    }),
  ]),
  fc
    .tuple(id, text)
    .map(([requestId, reason]) => [
      out({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } }),
    ]),
  // Junk, and junk that resembles a message.
  fc
    .oneof(text, fc.constant(`{"level":30,"msg":"${LONG}"}`), fc.constant(`{"id":1,"error":null,"x":"${LONG}"}`))
    .map((junk) => [protocol('to-client', junk)]),
  fc.constantFrom(
    [protocol('to-client', `{"jsonrpc":"2.0","\\u0069d":1,"result":{"a":"${LONG}"}}`)],
    [protocol('to-client', `{"jsonrpc":"2.0","id":1,"result":{"content":"${LONG}"},"id":2}`)],
    [protocol('to-client', `{"jsonrpc":"2.0","id":1.0,"result":{"p\\u0061rams":{},"content":"${LONG}"}} \r`)],
    [protocol('to-client', `{"jsonrpc":"2.0","method":7,"id":1,"x":"${LONG}"}`)],
    [protocol('to-client', `{"jsonrpc":"2.0","method":"__proto__","params":{"__proto__":{"name":"x"},"x":"${LONG}"}}`)],
    [protocol('to-client', Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"a":"\xff${LONG}"}}`, 'latin1'))],
    [
      protocol('to-client', `{"jsonrpc":"2.0","id":3,"result":{"a":"${LONG}"}}`, FLAG.continued),
      back({ jsonrpc: '2.0', id: 3, result: { a: LONG } }),
    ],
    [
      out([
        { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { a: LONG } },
        { jsonrpc: '2.0', id: 2, method: 'ping' },
      ]),
    ],
    [back([{ jsonrpc: '2.0', id: 1, result: { tools: [], a: LONG } }])],
    [protocol('to-client', `{"method":"GET","params":{"path":"${LONG}"}}`)],
    [said('stderr', 'to-client', LONG)],
    ...OTHER_CHANNELS.map((channel) => [said(channel, 'to-server', `{"id":1,"jsonrpc":"2.0","result":"${LONG}"}`)]),
    ...OTHER_CHANNELS.map((channel) => [said(channel, 'to-client', '')]),
    [event({ event: 'retry', id: 2, method: 'tools/call', reason: 'headers' })],
    [event({ event: 'timeout', id: 2, method: 'tools/call', afterMs: 5 })],
    [event({ event: 'note', on: 3, text: LONG, bookmark: true })],
    [event({ event: 'open', era: 'modern', version: '2026-07-28' })],
    [event({ event: 'open', era: 'legacy', version: '2025-06-18' })],
    [event({ event: 'session-lost' })],
  ),
  // A call of two rounds.
  fc.constantFrom(LONG, 'state', { a: 1 }, undefined).map((requestState) => [
    event({ event: 'open', era: 'modern', version: '2026-07-28' }),
    out({ jsonrpc: '2.0', id: 101, method: 'tools/call', params: { name: 'a', arguments: { a: LONG } } }),
    back({
      jsonrpc: '2.0',
      id: 101,
      result: {
        resultType: 'input_required',
        requestState,
        inputRequests: { q: { method: 'elicitation/create', params: { message: LONG } } },
      },
    }),
    event({ event: 'input', method: 'tools/call', phase: 'asked', id: 101 }),
    event({ event: 'input', method: 'tools/call', phase: 'given', id: 101, key: 'q' }),
    out({
      jsonrpc: '2.0',
      id: 102,
      method: 'tools/call',
      params: { name: 'a', requestState, inputResponses: { q: { action: 'accept', content: { a: LONG } } } },
    }),
    back({ jsonrpc: '2.0', id: 102, result: { content: [{ type: 'text', text: LONG }] } }),
  ]),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), id)
    .map(([exchange, of]) => [
      http({ kind: 'request', exchange, method: 'POST', url: 'http://localhost/mcp', headers: [], bytes: 900 }),
      out({ jsonrpc: '2.0', id: of, method: 'tools/call', params: { name: 'a', arguments: { a: LONG } } }),
      http({ kind: 'response', exchange, status: 200, headers: [['content-type', 'text/event-stream']] }),
      http({ kind: 'sse', exchange, event: 'message' }),
      back({ jsonrpc: '2.0', id: of, result: { content: [{ type: 'text', text: LONG }] } }),
      http({ kind: 'end', exchange, by: 'server' }),
    ]),
);

function listed(description: string): object {
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const tools = [{ name: 'a', description, inputSchema: { type: 'object' } }];
  return { capabilities, serverInfo: { name: 's', version: description }, tools, resources: [], prompts: [] };
}

/** Frames of whole sessions, some of them odd. */
export const sessions = fc.array(stretch, { minLength: 1, maxLength: 40 }).map((stretches) => stretches.flat());

/** Writes a file of these frames, with some malformed lines between them. */
export function fileOf(frames: readonly Said[], damage: ReadonlySet<number> = new Set()): Uint8Array<ArrayBuffer> {
  const start = event({ event: 'start', at: '', name: 'demo', transport: 'stdio', command: 'a', args: [] });
  const encoder = new FrameEncoder();
  const lines = [start, ...frames].flatMap((frame, index) =>
    encoder.encodeLines(index + 1, { ...frame, time: index * 10 }),
  );
  return new Uint8Array(
    Buffer.concat([HEADER, ...lines.map((line, index) => (damage.has(index) ? Buffer.from('{"damaged":\n') : line))]),
  );
}

/** Returns the page's log of a connection. */
export async function logOf(connection: RecordedConnection): Promise<Log> {
  const log = new Log('c1');
  log.append(await framesOf(connection));
  return log;
}

/** Returns the frames as they are sent, skims included. */
export async function framesOf({ log: from }: RecordedConnection): Promise<Frame[]> {
  const frames: Frame[] = [];
  const reader = new BatchReader();
  const cursor = { next: 1, offset: 0 };
  for (let batch = await cutBatch('c1', from, cursor); batch; batch = await cutBatch('c1', from, cursor)) {
    frames.push(...reader.read(batch.buffer).frames);
  }
  return frames;
}

/** Requests every frame again, as a page does that shows all of them. */
export async function bringBack(log: Log, { log: from }: RecordedConnection): Promise<void> {
  const reader = new BatchReader();
  const cursor = { next: 1, offset: 0, until: from.last };
  while (cursor.next <= from.last) {
    const batch = await cutBatch('c1', from, cursor);
    log.restore(reader.read(batch!.buffer).frames);
  }
}

/** Returns the data that a log derives without reading its messages. */
export function derived(log: Log) {
  const rows = Array.from({ length: log.size }, (_, index) => {
    return { row: log.row(index), exchange: log.exchange(index + 1), owner: log.relations.ownerOf(index + 1) };
  });
  return { state: log.state, rows, bytes: log.totalBytes, latencies: log.latencies };
}

/** Returns the data that a log derives from the messages themselves. */
export function texts(log: Log) {
  return Array.from({ length: log.size }, (_, index) => [log.preview(index), log.text(index)]);
}
