import { describe, expect, test } from 'vitest';
import { joinBytes } from '@/lib/json/typed-arrays';
import { BLOB_LIMITS } from '@/lib/recording/blobs';
import { encodeHeaderOrEnd, FrameEncoder } from '@/lib/recording/encode-lines';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { TEST_HEADER } from '@/lib/recording/test-header';
import { answered, asked, type FrameSeed, framesOf, got, happened, sent } from '@/lib/store/test-frames';
import type { CutMessage } from '@/lib/wire/frame';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { HeldTexts } from './message-table';
import type { RecordedCall } from './recorded-traffic';
import { TrafficReader } from './traffic-reader';

type Seeds = readonly (FrameSeed | readonly FrameSeed[])[];

function read(...seeds: Seeds) {
  const reader = new TrafficReader();
  for (const frame of framesOf(seeds.flat())) reader.addFrame(frame);
  return reader.traffic();
}

const calls = (...seeds: Seeds) =>
  read(...seeds).sent.filter((message): message is RecordedCall => message.kind === 'call');

const note = (method: string, params: object = {}) => got({ jsonrpc: '2.0', method, params });
const question = (id: unknown, method: string) => got({ jsonrpc: '2.0', id, method });
const methods = (events: readonly { readonly method: string }[]) => events.map(({ method }) => method);
const http = (frame: HttpFrame): FrameSeed => ({
  ...(frame.kind === 'request' ? sent('') : got('')),
  channel: 'http',
  bytes: new TextEncoder().encode(JSON.stringify(frame)),
});
const post = (exchange: number) =>
  http({ kind: 'request', exchange, method: 'POST', url: 'http://x/', headers: [], bytes: 1 });
const event = (exchange: number) => http({ kind: 'sse', exchange });

const OPENING = [
  asked(1, 'initialize', { protocolVersion: '2025-11-25' }),
  answered(1, { protocolVersion: '2025-06-18', capabilities: {} }),
  sent({ jsonrpc: '2.0', method: 'notifications/initialized' }),
];

describe('traffic', () => {
  test('has the version that a legacy server chose', () => {
    const session = read(...OPENING);
    expect(session).toMatchObject({ era: 'legacy', version: '2025-06-18', handshake: { method: 'initialize' } });
    expect(methods(session.sent)).toEqual(['initialize', 'notifications/initialized']);
  });

  test('has what the client saw of intercepted messages, and not what would have been', () => {
    const intercepted = (seed: FrameSeed): FrameSeed => ({ ...seed, channel: 'intercept' });
    const about = { direction: 'to-client', kind: 'response', method: 'tools/call', id: 2 } as const;
    const session = calls(
      ...OPENING,
      asked(2, 'tools/call', { name: 'a' }),
      happened({ event: 'intercepted', ...about, did: 'replace', delivered: 1, original: true }),
      intercepted(answered(2, { content: [{ type: 'text', text: 'original' }] })),
      answered(2, { content: [] }),
    );
    expect(session.at(-1)?.answer?.text).toBe('{"content":[]}');
    const plain = calls(...OPENING, asked(2, 'tools/call', { name: 'a' }), answered(2, { content: [] }));
    expect(session.map(({ method, params, answer }) => [method, params, answer?.text])).toEqual(
      plain.map(({ method, params, answer }) => [method, params, answer?.text]),
    );
  });

  test('has the modern version even without an `open` event', () => {
    const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    const session = read(asked(1, 'tools/list', params), answered(1, { tools: [] }));
    expect(session).toMatchObject({ era: 'modern', version: '2026-07-28', handshake: undefined });
  });

  test('has the version of the `open` event', () => {
    const session = read(
      asked('p', 'server/discover'),
      answered('p', { supportedVersions: ['2026-07-28'] }),
      happened({ event: 'open', era: 'modern', version: '2026-07-28' }),
    );
    expect(session).toMatchObject({ era: 'modern', handshake: { method: 'server/discover' } });
  });
});

describe('calls', () => {
  test('keep the exact texts of params, ids and answers', () => {
    const [call] = calls(
      sent('{"jsonrpc":"2.0","id":9007199254740993,"method":"x","params":{"n":1.0, "n":12345678901234567890}}'),
      got('{"jsonrpc":"2.0","id":9007199254740992,"result":{"other":true}}'),
      got('{"id":9007199254740993,"result":{ "big":1e999 }}'),
    );
    expect(call).toMatchObject({
      id: '9007199254740993',
      params: '{"n":1.0, "n":12345678901234567890}',
      answer: { kind: 'result', text: '{ "big":1e999 }', seq: 3 },
      unanswered: undefined,
    });
  });

  test('have string or number ids, even repeated and infinite ones', () => {
    const all = calls(
      asked(1, 'a'),
      asked('1', 'b'),
      asked(1, 'c'),
      sent('{"jsonrpc":"2.0","id":1e999,"method":"d"}'),
      sent('{"jsonrpc":"2.0","id":2e999,"method":"e"}'),
      got('{"jsonrpc":"2.0","id":2e999,"result":"e"}'),
      answered('1', 'b'),
      answered(1, 'a'),
      answered(1, 'c'),
    );
    expect(all.map(({ method, answer }) => [method, answer?.text])).toEqual([
      ['a', '"a"'],
      ['b', '"b"'],
      ['c', '"c"'],
      ['d', undefined],
      ['e', '"e"'],
    ]);
  });

  test('ignore an answer before its request', () => {
    const [call] = calls(answered(1, {}), asked(1, 'x'));
    expect(call).toMatchObject({ answer: undefined, unanswered: { why: 'open' } });
  });

  test('come in batches', () => {
    const all = calls(
      sent([
        { jsonrpc: '2.0', id: 1, method: 'a', params: { n: 1 } },
        { jsonrpc: '2.0', method: 'notifications/x' },
        { jsonrpc: '2.0', id: 2, method: 'b' },
      ]),
      got([
        { jsonrpc: '2.0', id: 2, result: 'b' },
        { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'a' } },
      ]),
    );
    expect(all).toMatchObject([
      { batch: true, params: '{"n":1}', answer: { kind: 'error', text: '{"code":1,"message":"a"}' } },
      { batch: true, answer: { kind: 'result', text: '"b"' } },
    ]);
  });

  test('say why they have no answer', () => {
    const all = calls(
      asked(1, 'a'),
      sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      asked(2, 'b'),
      happened({ event: 'timeout', id: 2, method: 'b', afterMs: 1 }),
      post(1),
      asked(3, 'c'),
      http({ kind: 'response', exchange: 1, status: 502, headers: [] }),
      http({ kind: 'body', exchange: 1, bytes: 3, text: 'bad' }),
      http({ kind: 'end', exchange: 1, by: 'server', unanswered: [3] }),
      asked(4, 'd'),
      happened({ event: 'exit', code: 1, signal: null }),
      asked(5, 'e'),
    );
    expect(all.map(({ unanswered }) => unanswered)).toEqual([
      { why: 'cancelled', since: { seq: 2, time: expect.any(Number) } },
      { why: 'timeout', since: { seq: 4, time: expect.any(Number) } },
      { why: 'lost', since: { seq: 9, time: expect.any(Number) }, status: 502, body: 'bad' },
      { why: 'lost', since: { seq: 11, time: expect.any(Number) } },
      { why: 'open' },
    ]);
  });

  test('left open by one server get no answer from the next', () => {
    const all = calls(
      asked(1, 'a'),
      happened({ event: 'exit', code: 1, signal: null }),
      asked(1, 'b'),
      answered(1, 'of b'),
      asked(null, 'tools/call'),
      note('notifications/message'),
    );
    expect(all).toMatchObject([
      { unanswered: { why: 'lost' } },
      { answer: { text: '"of b"' }, after: [{}] },
      { during: [], after: [] },
    ]);
  });

  test('take a late answer', () => {
    const [call] = calls(
      asked(1, 'a'),
      sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      answered(1, 'late'),
    );
    expect(call).toMatchObject({ answer: { text: '"late"' }, unanswered: undefined });
  });

  test('link a later round to the first', () => {
    const params = { name: 'ask', arguments: {} };
    const wants = { resultType: 'input_required', inputRequests: { n: {} } };
    const all = calls(
      asked(1, 'tools/call', params),
      answered(1, { ...wants, requestState: 'é' }),
      asked(2, 'tools/call', { ...params, inputResponses: { n: {} }, requestState: 'é' }),
      answered(2, wants),
      asked(3, 'tools/call', { ...params, inputResponses: { n: {} } }),
      asked(4, 'tools/call', { ...params, inputResponses: { n: {} } }),
    );
    expect(all.map(({ continues }) => continues)).toEqual([undefined, 1, 1, undefined]);
  });

  test('are paired even if twenty thousand have the same id', () => {
    const many = Array.from({ length: 20_000 }, () => asked(1, 'x'));
    const answers = Array.from({ length: 20_000 }, () => answered(1, {}));
    expect(calls(many, answers).every(({ answer }) => answer)).toBe(true);
  });
});

describe('a message of the server', () => {
  test('belongs to the call during which it was sent, with the client’s answer', () => {
    const session = read(
      ...OPENING,
      asked(2, 'tools/call', { name: 'slow', _meta: { progressToken: 'p' } }),
      asked(3, 'tools/list'),
      note('notifications/message', { level: 'info' }),
      question(2, 'sampling/createMessage'),
      sent({ jsonrpc: '2.0', id: 2, result: { role: 'assistant' } }),
      answered(3, { tools: [] }),
      note('notifications/progress', { progressToken: 'p', progress: 1 }),
      answered(2, {}),
      note('notifications/tools/list_changed'),
    );
    const call = session.sent.find(({ method }) => method === 'tools/call') as RecordedCall;
    expect(methods(call.during)).toEqual(['notifications/message', 'sampling/createMessage', 'notifications/progress']);
    expect(call.during[1]).toMatchObject({ id: '2', answer: { kind: 'result', text: '{"role":"assistant"}' } });
    expect(methods(call.after)).toEqual(['notifications/tools/list_changed']);
    expect(call.progressToken).toBe('"p"');
  });

  test('follows the message before if only lists are being read', () => {
    const session = read(...OPENING, asked(2, 'tools/list'), question(0, 'roots/list'), answered(2, {}));
    const initialized = session.sent[1]!;
    expect(methods('after' in initialized ? initialized.after : [])).toEqual(['roots/list']);
  });

  test('with the progress of an ended call belongs to no other call', () => {
    const all = calls(
      asked(1, 'tools/call', { name: 'a', _meta: { progressToken: 1 } }),
      sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      asked(2, 'tools/call', { name: 'b', _meta: { progressToken: 2 } }),
      note('notifications/progress', { progressToken: 1 }),
      answered(2, {}),
    );
    expect(all.map(({ during }) => methods(during))).toEqual([[], []]);
  });

  test('with progress belongs to the call that it names, any other to the newest open call', () => {
    const all = calls(
      asked(1, 'tools/call', { name: 'a', _meta: { progressToken: 1 } }),
      asked(2, 'tools/call', { name: 'b', _meta: { progressToken: 2 } }),
      note('notifications/progress', { progressToken: 1 }),
      note('notifications/message'),
      answered(2, {}),
      note('notifications/message'),
      answered(1, {}),
    );
    expect(all.map(({ during }) => methods(during))).toEqual([
      ['notifications/progress', 'notifications/message'],
      ['notifications/message'],
    ]);
  });

  test('over HTTP belongs to the call on its exchange', () => {
    const all = calls(
      post(1),
      asked(1, 'tools/call', { name: 'a' }),
      post(2),
      asked(2, 'tools/call', { name: 'b' }),
      event(1),
      note('notifications/message'),
      event(2),
      note('notifications/message'),
    );
    expect(all.map(({ during }) => during.length)).toEqual([1, 1]);
  });

  test('about a change belongs to the call that made it, even on a subscription’s stream', () => {
    const onStream = (method: string, subscription: unknown = 's') =>
      note(method, { _meta: { 'io.modelcontextprotocol/subscriptionId': subscription } });
    const changed = 'notifications/tools/list_changed';
    const acknowledged = 'notifications/subscriptions/acknowledged';
    const [listen, call] = calls(
      asked('s', 'subscriptions/listen', {}),
      onStream(acknowledged),
      onStream(changed),
      asked(2, 'tools/call', {}),
      onStream(changed),
      answered(2, {}),
      onStream(changed),
      onStream(changed, 'unknown'),
    );
    expect(methods(listen!.during)).toEqual([acknowledged, changed]);
    expect(methods(call!.during)).toEqual([changed]);
    expect(call!.after).toMatchObject([
      { method: changed, stream: 1 },
      { method: changed, stream: undefined },
    ]);
  });

  test('may come before the client’s first message', () => {
    expect(methods(read(note('notifications/message')).before)).toEqual(['notifications/message']);
  });
});

test('reads any log', () => {
  const session = read(
    sent('nonsense'),
    got('[1,null,[{"jsonrpc":"2.0","id":1,"method":"x"}]]'),
    asked(null, 'x'),
    asked({ toString: 1 }, 'y'),
    sent('{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}'),
    http({ kind: 'end', exchange: 1, by: 'server', unanswered: 'x' as never }),
    got('{"jsonrpc":"2.0","id":null,"result":1}'),
  );
  expect(methods(session.sent)).toEqual(['x', 'y', 'notifications/cancelled']);
});

describe('messages without their long strings', () => {
  const LONG = 'x'.repeat(BLOB_LIMITS.minBytes);

  /** Records the messages, and reads them again with the strings that they share cut out. */
  async function recorded(...messages: readonly object[]) {
    const encoder = new FrameEncoder();
    const frames = messages.map((message, time) => ({
      ...({ time, channel: 'protocol', flags: 0, bytes: new TextEncoder().encode(JSON.stringify(message)) } as const),
      direction: 'method' in message ? ('to-server' as const) : ('to-client' as const),
    }));
    const lines = frames.flatMap((frame, at) => encoder.encodeLines(at + 1, frame));
    const reader = new RecordingReader();
    return reader.readChunk(joinBytes([encodeHeaderOrEnd(TEST_HEADER), ...lines]));
  }

  const call = (id: unknown, params: object = {}) => ({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const result = (id: unknown, members: object) => ({ jsonrpc: '2.0', id, result: members });

  test('are held with one copy of a string that they share, and have the same text', async () => {
    const frames = await recorded(
      ...[1, 2, 3].flatMap((id) => [call(id, { name: 'a' }), result(id, { id, content: [LONG, LONG] })]),
    );
    const held: (string | CutMessage)[] = [];
    const texts = new HeldTexts();
    const reader = new TrafficReader({
      addText: (seq, text) => {
        held.push(text);
        texts.addText(seq, text);
      },
      textOf: (seq) => texts.textOf(seq),
    });
    for (const frame of frames) reader.addFrame(frame);
    const strings = held.flatMap((text) => (typeof text === 'string' ? [] : text.strings.map(({ bytes }) => bytes)));
    expect(strings).toHaveLength(6);
    expect(new Set(strings).size).toBe(1);
    expect(held.every((text) => (typeof text === 'string' ? text : text.text).length < 200)).toBe(true);
    expect(reader.sent.map((message) => message.kind === 'call' && message.answer?.text)).toEqual(
      [1, 2, 3].map((id) => JSON.stringify({ id, content: [LONG, LONG] })),
    );
  });

  test('belong together by ids and states, however long these are', async () => {
    const asks = (id: string) => result(id, { resultType: 'input_required', requestState: LONG });
    const frames = await recorded(
      call(`${LONG}1`, { name: LONG }),
      asks(`${LONG}1`),
      call(`${LONG}2`, { name: LONG, requestState: LONG, inputResponses: {} }),
      result(`${LONG}2`, { content: [] }),
    );
    const [cut, whole] = [new TrafficReader(), new TrafficReader()];
    for (const frame of frames) {
      cut.addFrame(frame);
      whole.addFrame({ ...frame, bytes: frame.bytes });
    }
    expect(frames.every(({ cut: parts }) => parts !== undefined)).toBe(true);
    for (const { sent } of [cut, whole]) {
      expect(sent).toMatchObject([
        { kind: 'call', name: LONG, continues: undefined, answer: { seq: 2 } },
        { kind: 'call', name: LONG, continues: 1, answer: { seq: 4 } },
      ]);
    }
  });
});
