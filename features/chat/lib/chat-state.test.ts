import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChatEvent, isChatSettings, USUAL_LIMITS } from './chat-frame';
import { ChatState, writtenText } from './chat-state';
import { chatEventIn, chatFrame, chatStateOf, readChatEvent } from './event-frames';
import { chatMessages } from './history';
import { memoryChat, memoryServer } from './test-chat';

const rules = [
  { when: { text: 'call' }, say: 'Calling. ', call: { tool: 'echo', arguments: { text: 'hi' } } },
  { when: { tool: 'echo' }, say: 'It says {{result}}.' },
  { say: 'You said: {{text}}', usage: { inputTokens: 10, outputTokens: 5 } },
];
const server = memoryServer('one', { echo: ({ text }) => String(text) });

describe('a chat', () => {
  test('is a tree: trying again and editing add a branch', async () => {
    const { chat, ask } = memoryChat({ rules });
    const first = await ask('one');
    const again = await chat.answer(first.parent!, new AbortController().signal);
    const second = await ask('two', first.id);
    const edited = await ask('three', first.id);
    const { state } = chat;
    expect(state.turns.get(first.parent!)!.children).toEqual([first.id, again.id]);
    expect(state.turns.get(first.id)!.children).toEqual([second.parent, edited.parent]);
    expect(state.leafFrom()).toBe(again.id);
    expect(state.leafFrom(first.id)).toBe(edited.id);
    const texts = (leaf: string) =>
      chatMessages(state, leaf, 'scripted:test').map(({ parts }) =>
        parts.map((part) => (part.type === 'text' ? part.text : part.type)),
      );
    expect(texts(edited.id)).toEqual([['one'], ['You said: one'], ['three'], ['You said: three']]);
    expect(texts(second.id).at(-1)).toEqual(['You said: two']);
  });

  test('sums tokens and cost of all branches', async () => {
    const { chat, ask } = memoryChat({ rules, settings: { price: { input: 3, output: 15 } } });
    const first = await ask('one');
    await ask('two', first.id);
    await ask('three');
    expect(first.usage).toEqual({ inputTokens: 10, outputTokens: 5, cost: (10 * 3 + 5 * 15) / 1e6 });
    expect(chat.state.usage).toMatchObject({ inputTokens: 30, outputTokens: 15 });
  });

  test('is the same after its frames are read', async () => {
    const { chat, ask, events } = memoryChat({ rules, servers: [server] });
    await ask('and now hello', (await ask('please call')).id);
    const read = chatStateOf(events.map((event, at) => ({ ...chatFrame(event), seq: at + 1 })));
    expect(JSON.parse(JSON.stringify([...read.turns.values()]))).toEqual(
      JSON.parse(JSON.stringify([...chat.state.turns.values()])),
    );
    expect(chatMessages(read, read.leafFrom()!, 'scripted:test')).toEqual(
      chatMessages(chat.state, chat.state.leafFrom()!, 'scripted:test'),
    );
  });

  test('has a result for each call in its history, even if its recording broke off', async () => {
    const { ask, events } = memoryChat({ rules, servers: [server] });
    await ask('please call');
    for (let count = 0; count <= events.length; count++) {
      const state = new ChatState();
      for (const [at, event] of events.slice(0, count).entries()) state.apply(event, at + 1);
      const parts = chatMessages(state, state.leafFrom() ?? '', 'scripted:test').flatMap((message) => message.parts);
      const calls = parts.flatMap((part) => (part.type === 'call' ? [part.id] : []));
      expect(parts.flatMap((part) => (part.type === 'result' ? [part.id] : []))).toEqual(calls);
    }
  });

  test('gives reasoning and signatures only to the model that wrote them', () => {
    const state = new ChatState();
    const settings = { model: 'a:b', toolMode: 'native' as const, limits: USUAL_LIMITS, servers: [] };
    const parts = [
      { type: 'reasoning', text: 'r', signature: 's' },
      { type: 'text', text: 't' },
      { type: 'call', id: 'c', name: 'n', arguments: '{}', signature: 's' },
    ] as const;
    const events: ChatEvent[] = [
      { type: 'settings', settings },
      { type: 'answer', turn: 't', parent: 'gone' },
      {
        type: 'response',
        turn: 't',
        request: 1,
        body: '',
        reason: 'calls',
        milliseconds: 0,
        message: { role: 'assistant', parts },
      },
    ];
    for (const [at, event] of events.entries()) state.apply(event, at + 1);
    expect(chatMessages(state, 't', 'a:b')[0]!.parts).toEqual(parts);
    expect(chatMessages(state, 't', 'x:y')[0]!.parts).toEqual([
      parts[1],
      { type: 'call', id: 'c', name: 'n', arguments: '{}' },
    ]);
  });
});

test('a long chat and a long stream stay cheap', async () => {
  const { chat, ask, events } = memoryChat({ rules: [{ say: 'word '.repeat(200), pieces: 5 }] });
  let last: string | undefined;
  for (let turn = 0; turn < 200; turn++) last = (await ask(`message ${turn}`, last)).id;
  expect(chat.state.pathTo(last)).toHaveLength(400);
  const state = new ChatState();
  for (const [at, event] of events.entries()) state.apply(event, at + 1);
  const turn = state.turns.get(last!)!;
  for (let at = 0; at < 300_000; at++) state.apply({ type: 'text', turn: turn.id, request: 2, text: 'piece ' }, at);
  expect(turn.kind === 'answer' && writtenText(turn).length).toBe(1000 + 2 + 300_000 * 6);
});

describe('attack:', () => {
  test('settings of a page are checked', () => {
    const settings = { model: 'a:b', toolMode: 'native', limits: USUAL_LIMITS, servers: ['one'] };
    expect(isChatSettings({ ...settings, allow: { mode: 'ask', tools: ['t'] }, later: 1 })).toBe(true);
    for (const wrong of [
      { allow: { mode: 'none' } },
      { limits: {} },
      { servers: [1] },
      { price: { input: -1, output: 1 } },
    ]) {
      expect(isChatSettings({ ...settings, ...wrong })).toBe(false);
    }
  });

  test.each([
    'null',
    '[]',
    '{}',
    '{"type":"toString"}',
    '{"type":"__proto__","turn":"t"}',
    '{"type":"user","turn":1,"parts":[]}',
    '{"type":"user","turn":"t","parts":[{"type":"text"}]}',
    '{"type":"user","turn":"t","parts":[{"type":"result","id":"a","name":"b","isError":true,"parts":[{"type":"x"}]}]}',
    '{"type":"request","turn":"t","request":-1,"body":"","tokens":[],"losses":[]}',
    '{"type":"end","turn":"t","reason":"because"}',
    `${'['.repeat(100_000)}`,
  ])('%.60s is not an event', (text) => {
    expect(readChatEvent(text)).toBeUndefined();
  });

  test('frames of other channels are not read', () => {
    const { bytes } = chatFrame({ type: 'end', turn: 't', reason: 'stop' });
    expect(chatEventIn({ channel: 'protocol' as never, bytes })).toBeUndefined();
  });

  test('events in any order, with any ids, neither fail nor make a circle', () => {
    const id = fc.constantFrom('a', 'b', 'c', '__proto__', '');
    const request = fc.nat({ max: 4 });
    const parts = fc.constantFrom(
      [{ type: 'text' as const, text: 'x' }],
      [{ type: 'call' as const, id: 'a', name: 'n', arguments: '' }],
      [],
    );
    const event: fc.Arbitrary<ChatEvent> = fc.oneof(
      fc.record({ type: fc.constant('user' as const), turn: id, parent: id, parts }),
      fc.record({ type: fc.constant('answer' as const), turn: id, parent: id }),
      fc.record({ type: fc.constant('sampling' as const), turn: id, server: id, connection: id, params: id }),
      fc.record({ type: fc.constant('tools' as const), turn: id, tools: fc.constant([]) }),
      fc.record({
        type: fc.constant('request' as const),
        turn: id,
        request,
        body: id,
        tokens: fc.constant([]),
        losses: fc.constant([]),
      }),
      fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const), turn: id, request, text: id }),
      fc.record({
        type: fc.constant('call' as const),
        turn: id,
        request,
        call: fc.record({ type: fc.constant('call' as const), id, name: id, arguments: id }),
      }),
      fc.record({
        type: fc.constant('response' as const),
        turn: id,
        request,
        body: id,
        reason: fc.constantFrom('stop' as const, 'error' as const),
        milliseconds: fc.nat(),
        message: fc.record({ role: fc.constant('assistant' as const), parts }),
      }),
      fc.record({
        type: fc.constant('retry' as const),
        turn: id,
        request,
        attempt: request,
        waitMs: request,
        failure: fc.record({ code: id, message: id, advice: id }),
      }),
      fc.record({ type: fc.constant('ask' as const), turn: id, call: id }),
      fc.record({
        type: fc.constant('result' as const),
        turn: id,
        call: id,
        milliseconds: request,
        result: fc.record({ type: fc.constant('result' as const), id, name: id, parts, isError: fc.boolean() }),
      }),
      fc.record({ type: fc.constant('end' as const), turn: id, reason: fc.constant('stop' as const) }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const state = new ChatState();
        for (const [at, one] of events.entries()) {
          expect(readChatEvent(JSON.stringify(one))).toEqual(one);
          state.apply(one, at + 1);
        }
        for (const turn of state.turns.keys()) {
          expect(state.pathTo(turn).length).toBeLessThanOrEqual(5);
          chatMessages(state, turn, 'm');
          state.leafFrom(turn);
        }
        const reachable = (ids: readonly string[]): string[] =>
          ids.flatMap((one) => [one, ...reachable(state.turns.get(one)!.children)]);
        expect(reachable([...state.roots, ...state.sampling]).sort()).toEqual([...state.turns.keys()].sort());
      }),
      { numRuns: 500 },
    );
  });
});
