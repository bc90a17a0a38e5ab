import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { MOST_AUTOMATIC, type SamplingChoice } from '@/features/chat/lib/chat-api';
import { type ChatEvent, type ChatSettings, USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import type { AnswerTurn } from '@/features/chat/lib/chat-state';
import { chatEventIn, chatStateOf } from '@/features/chat/lib/event-frames';
import { samplingAnswerIn } from '@/features/chat/lib/sampling-result';
import { readScript } from '@/features/chat/lib/script';
import { scriptedModel } from '@/features/chat/lib/scripted-model';
import { framesFrom } from '@/lib/hub/frame-log';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import type { Frame } from '@/lib/wire/frame';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { openHub, type TestTab } from '@/proxy/connection/test-hub';
import { Chats } from './chats';

const SERVERS = join(import.meta.dirname, '../../../e2e/servers');
const LEGACY: Target = { transport: 'stdio', command: process.execPath, args: [join(SERVERS, 'ask-server.mjs')] };
const MODERN: Target = {
  transport: 'stdio',
  command: process.execPath,
  args: [join(SERVERS, 'modern-server.mjs'), 'dual'],
};

const SCRIPT = {
  rules: [
    { when: { text: 'busy' }, fail: { kind: 'overloaded', times: 1, retryAfterMs: 1 }, say: 'Back again.' },
    { when: { text: 'never' }, fail: 'hang' },
    { when: { text: 'wrong' }, fail: 'unauthorized' },
    { when: { text: 'harbour' }, say: 'I ask.', call: { tool: 'tide', arguments: { port: 'Wick' } } },
    { say: 'The model said: {{text}}' },
  ],
};
const SETTINGS: ChatSettings = { model: 'scripted:test', toolMode: 'native', limits: USUAL_LIMITS, servers: [] };
const by = (mode: SamplingChoice['mode']): SamplingChoice => ({ mode, settings: SETTINGS });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Opens a server whose sampling requests a scripted model may answer. */
async function openSampling(server: Target) {
  let chats: Chats | undefined;
  const opened = await openHub(systemClock, undefined, undefined, undefined, undefined, undefined, {
    get: (id) => chats?.get(id),
    inboxChanged: (connection) => chats?.inboxChanged(connection),
    forgotten: () => {},
  });
  const { hub } = opened;
  chats = new Chats({
    clock: systemClock,
    models: {
      list: async () => ({ models: [], providers: [] }),
      load: async ({ model }) => scriptedModel(model, readScript(SCRIPT), { within: runWithin }),
      check: () => {},
      setKey: () => {},
      keys: () => [],
    },
    newestRunOf: (entry) => hub.newestRunOf(entry),
    logOf: (id) => chats?.get(id)?.log ?? hub.get(id).log,
    connection: (id) => hub.live(id),
    onGrown: () => {},
    onForgotten: () => {},
  });
  const opening = chats;
  closing.push(opened.close, () => opening.close());
  const tab: TestTab = await opened.tab();
  const id = await tab.connect(server);
  const { inbox, log } = hub.live(id);
  const call = (name: string) =>
    tab.send({
      type: 'request',
      connection: id,
      ref: name,
      method: 'tools/call',
      params: JSON.stringify({ name, arguments: {} }),
    });
  const waiting = () => vi.waitUntil(() => inbox.questions.find(({ method }) => method.startsWith('sampling')));
  const logOf = (chat: string) => framesOf(opening, chat).flatMap((frame) => chatEventIn(frame) ?? []);
  const until = (chat: string, type: ChatEvent['type'], count = 1) =>
    vi.waitUntil(() => {
      const found = logOf(chat).filter((event) => event.type === type);
      return found.length >= count && found;
    });
  const text = (seq: number) =>
    vi.waitUntil(() => {
      const frame = tab.frames.find((one) => one.seq === seq);
      return frame && Buffer.from(frame.bytes).toString();
    });
  return { chats: opening, id, tab, call, waiting, logOf, until, inbox, log, text };
}

function framesOf(chats: Chats, chat: string): readonly Frame[] {
  const { log } = chats.get(chat)!;
  const all: Frame[] = [];
  while (all.length < log.last) {
    const segment = log.segmentOf(all.length + 1);
    if (segment instanceof Promise) throw new Error('The log of a test is in memory.');
    all.push(...framesFrom(segment, all.length + 1));
  }
  return all;
}

test.each([
  ['2025-11-25', LEGACY, 'sample', undefined],
  ['2026-07-28', MODERN, 'ask', 'words'],
])(
  'a model answers a sampling request by itself, and its frames name the request (%s)',
  async (_, server, tool, input) => {
    const { chats, id, tab, call, until, inbox, text } = await openSampling(server);
    const chat = chats.chooseSampling(id, by('auto'));
    call(tool);
    const [asked] = await until(chat, 'sampling');
    expect(asked).toMatchObject({ connection: id, ...(input !== undefined && { input }) });
    expect(await text((asked as { readonly seq: number }).seq)).toContain('sampling/createMessage');
    await until(chat, 'end');
    await vi.waitUntil(() => inbox.questions.every(({ method }) => !method.startsWith('sampling')));
    if (input === undefined) await tab.until(() => tab.texts('protocol').some((one) => one.includes('The model said')));
    else {
      inbox.answer(inbox.questions[0]!.id, 'form', { result: '{"action":"accept","content":{"n":1}}' });
      await tab.until(() => tab.texts('protocol').some((one) => one.includes('The model said: Say it.')));
    }
    expect(chats.list()).toMatchObject([{ id: chat, sampling: { mode: 'auto' }, automatic: 1, connections: [id] }]);
  },
);

test('a person may change the request before the model gets it, and the answer waits for them', async () => {
  const { chats, id, call, waiting, until, logOf, inbox } = await openSampling(LEGACY);
  const chat = chats.chooseSampling(id, by('ask'));
  call('sample');
  const { id: asked } = await waiting();
  const params = '{"messages":[{"role":"user","content":{"type":"text","text":"changed"}}],"maxTokens":5}';
  await chats.run({ kind: 'complete', connection: id, id: asked, params });
  await until(chat, 'end');
  expect(JSON.stringify(logOf(chat))).toContain('The model said: changed');
  const tools = [{ name: 'tide', inputSchema: { type: 'object' } }];
  const messages = [{ role: 'user', content: { type: 'text', text: 'harbour' } }];
  await chats.run({ kind: 'complete', connection: id, id: asked, params: JSON.stringify({ messages, tools }) });
  await until(chat, 'end', 2);
  expect(samplingAnswerIn(chatStateOf(framesOf(chats, chat)).turns.get('t2') as AnswerTurn)).toMatchObject({
    model: 'scripted:test',
    reason: 'calls',
    message: { parts: [{ text: 'I ask.' }, { type: 'call', name: 'tide' }] },
  });
  expect(inbox.size).toBe(1);
  const notJson = chats.run({ kind: 'complete', connection: id, id: asked, params: '[' });
  await expect(notJson).rejects.toMatchObject({ code: 'sampling-not-json' });
  expect(inbox.size).toBe(1);
});

test('in review, the model gets each request at once, also one that already waits', async () => {
  const { chats, id, call, waiting, until, inbox } = await openSampling(LEGACY);
  call('sample-rich');
  await waiting();
  const chat = chats.chooseSampling(id, by('review'));
  await until(chat, 'end');
  expect(inbox.size).toBe(1);
});

test('retries are recorded, and an error leaves the question open', async () => {
  const { chats, id, call, waiting, until, inbox } = await openSampling(LEGACY);
  const chat = chats.chooseSampling(id, by('ask'));
  call('sample');
  const { id: asked } = await waiting();
  const ask = (text: string) =>
    chats.run({
      kind: 'complete',
      connection: id,
      id: asked,
      params: JSON.stringify({ messages: [{ role: 'user', content: { type: 'text', text } }] }),
    });
  await ask('busy');
  await until(chat, 'end');
  expect(await until(chat, 'retry')).toHaveLength(1);
  await ask('wrong');
  const ends = await until(chat, 'end', 2);
  expect(ends[1]).toMatchObject({ reason: 'error', failure: { code: 'unauthorized' } });
  expect(inbox.size).toBe(1);
});

test('an answer is cancelled by the person, and when somebody else answers the question', async () => {
  const { chats, id, call, waiting, until, inbox } = await openSampling(LEGACY);
  const chat = chats.chooseSampling(id, by('ask'));
  call('sample');
  const { id: asked } = await waiting();
  const params = '{"messages":[{"role":"user","content":{"type":"text","text":"never"}}]}';
  await chats.run({ kind: 'complete', connection: id, id: asked, params });
  await until(chat, 'sampling');
  await expect(chats.run({ kind: 'complete', connection: id, id: asked, params })).rejects.toMatchObject({
    code: 'sampling-busy',
  });
  await chats.run({ kind: 'stop', connection: id, id: asked });
  expect((await until(chat, 'end'))[0]).toMatchObject({ reason: 'cancelled' });
  await vi.waitUntil(() => chats.list()[0]!.busy === false);
  await chats.run({ kind: 'complete', connection: id, id: asked, params });
  await until(chat, 'sampling', 2);
  inbox.answer(asked, undefined, { error: { code: -1, message: 'no' } });
  expect((await until(chat, 'end', 2))[1]).toMatchObject({ reason: 'cancelled' });
});

test('attack: a server that asks without end is answered by itself only so often', async () => {
  const { chats, id, call, inbox } = await openSampling(LEGACY);
  chats.chooseSampling(id, by('auto'));
  for (let asked = 0; asked <= MOST_AUTOMATIC; asked++) {
    call('sample');
    await vi.waitUntil(() => chats.list()[0]!.automatic === Math.min(asked + 1, MOST_AUTOMATIC));
  }
  await vi.waitUntil(() => inbox.size === 1 && chats.list()[0]!.busy === false);
});

test('a request without a chosen model, and for a question that is closed, fails with advice', async () => {
  const { chats, id } = await openSampling(LEGACY);
  await expect(chats.run({ kind: 'complete', connection: id, id: 'x' })).rejects.toMatchObject({
    code: 'no-sampling-model',
  });
  chats.chooseSampling(id, by('ask'));
  await expect(chats.run({ kind: 'complete', connection: id, id: 'x' })).rejects.toMatchObject({ code: 'not-waiting' });
});
