import { describe, expect, test } from 'vitest';
import { answered, asked, type FrameSeed, framesOf, got, happened, sent } from '@/lib/store/test-frames';
import type { HttpFrame } from '@/lib/wire/http-frame';
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
