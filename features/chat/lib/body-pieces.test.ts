import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyPieces, framesOfBody, requestBody } from './body-pieces';
import type { ChatEvent } from './chat-frame';
import { memoryChat, memoryServer } from './test-chat';

type RequestEvent = ChatEvent & { readonly type: 'request' };
const request = (body: string): RequestEvent => ({
  type: 'request',
  turn: 't',
  request: 1,
  body,
  tokens: [],
  losses: [],
});

function log() {
  const pieces = new BodyPieces();
  const frames: RequestEvent[] = [];
  const add = (body: string) => {
    const event = pieces.cut(request(body));
    frames.push(event);
    pieces.remember(event, frames.length);
    return event;
  };
  return { frames, add, read: (event: RequestEvent) => requestBody(event, (seq) => frames[seq - 1]) };
}

test('bodies of any form are read as they were', () => {
  const long = fc.constantFrom('x'.repeat(150), '"\\"{'.repeat(60), 'y'.repeat(3000), 'z');
  const item = fc.oneof(fc.record({ role: fc.constant('user'), text: long }), fc.array(long, { maxLength: 3 }), long);
  const json = fc
    .record({
      system: long,
      messages: fc.array(item, { maxLength: 8 }),
      tools: fc.array(item, { maxLength: 3 }),
      deep: fc.jsonValue(),
    })
    .map((value) => JSON.stringify(value, null, 1));
  const body = fc.oneof(
    json,
    json,
    json.map((text) => text.slice(0, text.length / 2)),
    fc.string(),
    long,
  );
  fc.assert(
    fc.property(fc.array(body, { maxLength: 6 }), (bodies) => {
      const { add, read } = log();
      expect(bodies.map(add).map(read)).toEqual(bodies);
    }),
  );
});

test('a long chat holds each message and tool once', async () => {
  const bodies: string[] = [];
  const server = memoryServer('s', { get: () => 'r'.repeat(3000) }, { get: { description: 'd'.repeat(20_000) } });
  const { ask, events } = memoryChat({
    servers: [server],
    rules: [{ when: { tool: 'get' }, say: 'word '.repeat(300) }, { call: { tool: 'get' } }],
  });
  let last: string | undefined;
  for (let turn = 0; turn < 50; turn++) last = (await ask(`message ${turn}`, last)).id;
  for (const event of events) {
    if (event.type === 'request') bodies.push(requestBody(event, (seq) => events[seq - 1]));
  }
  expect(bodies).toHaveLength(100);
  expect(bodies.join('').length).toBeGreaterThan(10_000_000);
  expect(JSON.stringify(events).length).toBeLessThan(1_500_000);
  expect(JSON.parse(bodies.at(-1)!)).toMatchObject({ tools: [{ name: 'get' }], outputTokens: 4096 });
  expect(JSON.parse(bodies.at(-1)!).messages).toHaveLength(50 * 4 - 1);
});

test('a part of a recording shows which pieces are missing', () => {
  const { add } = log();
  const body = JSON.stringify({ messages: [{ text: 'x'.repeat(3000) }], more: 1 });
  add(body);
  const second = add(body);
  expect(framesOfBody(second)).toEqual([1]);
  expect(requestBody(second, () => undefined)).toBe('{"messages":[[A part of message 1, which is missing.]],"more":1}');
  const circle: RequestEvent = { ...second, pieces: [[1, 0]] };
  expect(requestBody(circle, () => circle)).toBe('[A part of message 1, which is missing.]');
});

test('attack: one long piece that is referred to many times stays within the bound', () => {
  const long: RequestEvent = { ...request(''), pieces: ['x'.repeat(7_999_999)] };
  const bomb: RequestEvent = { ...request(''), pieces: new Array(100_000).fill([1, 0]) };
  const text = requestBody(bomb, () => long);
  expect(text.slice(7_999_999)).toBe('x[The rest is left out: a body has 8000000 characters at most.]');
  expect(requestBody({ ...bomb, pieces: [[1, 0], 'y'] }, () => long)).toHaveLength(8_000_000);
});

test('a body whose long parts are left out is still JSON', () => {
  const { frames, add } = log();
  const messages = Array.from({ length: 40 }, (_, index) => ({ role: 'user', text: `${index} ${'word '.repeat(60)}` }));
  let last: RequestEvent | undefined;
  for (let count = 1; count <= messages.length; count++) {
    last = add(JSON.stringify({ model: 'a', messages: messages.slice(0, count) }));
  }
  expect(framesOfBody(last!).length).toBeGreaterThan(30);
  const text = requestBody(
    last!,
    (seq) => (seq > 35 ? frames[seq - 1] : undefined),
    (seq) => JSON.stringify(`in ${seq}`),
  );
  const read: { readonly messages: readonly unknown[] } = JSON.parse(text);
  expect(read.messages).toHaveLength(40);
  expect(read.messages[10]).toMatch(/^in \d+$/);
  expect(read.messages.at(-1)).toEqual(messages.at(-1));
});
