import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { isChatRequest } from '@/features/chat/lib/chat-api';
import type { ChatEvent, ChatSettings } from '@/features/chat/lib/chat-frame';
import { USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import { chatEventIn } from '@/features/chat/lib/event-frames';
import { ModelError } from '@/features/chat/lib/model';
import { readScript } from '@/features/chat/lib/script';
import { scriptedModel } from '@/features/chat/lib/scripted-model';
import { framesFrom } from '@/lib/hub/frame-log';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { openHub, type TestTab } from '@/proxy/connection/test-hub';
import type { ChatLog } from './chat-log';
import { type ChatModels, Chats } from './chats';
import { PageModels } from './page-models';

const DEMO = {
  transport: 'stdio',
  command: process.execPath,
  args: [join(import.meta.dirname, '../../../examples/demo-server/server.mjs')],
} as const;

const ASKING = { ...DEMO, args: [join(import.meta.dirname, '../../../e2e/servers/ask-server.mjs')] } as const;

const SCRIPT = {
  rules: [
    { when: { text: 'greet' }, call: { tool: 'echo', arguments: { message: 'hello' } } },
    { when: { tool: 'echo', error: false }, say: 'Done.' },
    { when: { tool: 'echo', error: true }, say: 'Not done.' },
    { when: { text: 'password' }, call: { tool: 'secret' } },
    { when: {}, say: 'Hello.' },
  ],
};

const MODELS: ChatModels = {
  list: async () => ({ models: [], providers: [] }),
  load: async ({ model }) => {
    if (!model.startsWith('scripted:')) throw new ModelError('unknown-provider', 'No such provider.', 'Choose one.');
    return scriptedModel(model, readScript(SCRIPT), { within: runWithin });
  },
  check: (settings) => new PageModels('1', false).check(settings),
  setKey: () => {},
  keys: () => ['canary-key-of-a-model'],
};

const SETTINGS: ChatSettings = { model: 'scripted:test', toolMode: 'native', limits: USUAL_LIMITS, servers: [] };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Opens a hub with a server, and chats over it. */
async function openChats(server: Target = DEMO) {
  const opened = await openHub();
  closing.push(opened.close);
  const tab: TestTab = await opened.tab();
  const connection = await tab.connect(server);
  const waiting = new Set<() => void>();
  const chats = new Chats({
    clock: systemClock,
    models: MODELS,
    newestRunOf: (entry) => opened.hub.newestRunOf(entry),
    connection: (id) => opened.hub.live(id),
    onGrown: () => {
      for (const check of [...waiting]) check();
    },
    onForgotten: () => {},
    logOf: (id) => chats.get(id)?.log ?? opened.hub.get(id).log,
  });
  closing.push(() => chats.close());
  const until = (log: ChatLog, type: ChatEvent['type']) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!eventsOf(log).some((event) => event.type === type)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  return { chats, connection, until, tab, hub: opened.hub };
}

function eventsOf({ log }: ChatLog): readonly ChatEvent[] {
  const events: ChatEvent[] = [];
  for (let seq = 1; seq <= log.last; ) {
    const segment = log.segmentOf(seq);
    if (segment instanceof Promise) throw new Error('The log of a test is in memory.');
    const frames = framesFrom(segment, seq);
    events.push(...frames.flatMap((frame) => chatEventIn(frame) ?? []));
    seq += frames.length;
  }
  return events;
}

test('a call waits for a decision, and is then an exchange of the connection’s log', async () => {
  const { chats, connection, until, tab } = await openChats();
  const chat = chats.start([connection], SETTINGS);
  const log = chats.get(chat)!;
  await chats.run({ kind: 'send', chat, parts: [{ type: 'text', text: 'greet her' }] });
  await until(log, 'ask');
  const asked = eventsOf(log).find((event) => event.type === 'ask')!;
  await chats.run({ kind: 'decide', chat, call: asked.call, decision: { kind: 'run' } });
  await until(log, 'end');
  const events = eventsOf(log);
  const sent = events.find((event) => event.type === 'sent')!;
  expect(sent.connection).toBe(connection);
  // The tab gets its frames a little later.
  const frame = await vi.waitUntil(() => tab.frames.find(({ seq }) => seq === sent.seq));
  expect(Buffer.from(frame.bytes).toString()).toContain('"tools/call"');
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'stop' });
  expect(JSON.stringify(events)).toContain('Done.');
});

test('a password that is typed into a form of a server does not leave the log of the chat', async () => {
  const { chats, connection, until, tab, hub } = await openChats(ASKING);
  const chat = chats.start([connection], { ...SETTINGS, allow: { mode: 'all' } });
  const log = chats.get(chat)!;
  await chats.run({ kind: 'send', chat, parts: [{ type: 'text', text: 'password' }] });
  await tab.until(() => tab.texts('protocol').some((text) => text.includes('elicitation/create')));
  const result = JSON.stringify({ action: 'accept', content: { password: 'hunter3-canary-typed' } });
  hub.newestRunOf(connection).inbox.answer('ask-1', undefined, { result });
  await until(log, 'end');
  expect(JSON.stringify(eventsOf(log))).toContain('hunter3-canary-typed');
  const bytes = Buffer.from('"It was hunter3-canary-typed"');
  const left = log.redactor.apply({ channel: 'model', direction: 'to-client', flags: 0, bytes });
  expect(Buffer.from(left.bytes).toString()).not.toContain('canary');
});

test('a refused call is not sent, and the model learns of it', async () => {
  const { chats, connection, until } = await openChats();
  const chat = chats.start([connection], SETTINGS);
  const log = chats.get(chat)!;
  await chats.run({ kind: 'send', chat, parts: [{ type: 'text', text: 'greet her' }] });
  await until(log, 'ask');
  const asked = eventsOf(log).find((event) => event.type === 'ask')!;
  await chats.run({ kind: 'decide', chat, call: asked.call, decision: { kind: 'refuse' } });
  await until(log, 'end');
  expect(eventsOf(log).some(({ type }) => type === 'sent')).toBe(false);
  expect(JSON.stringify(eventsOf(log))).toContain('Not done.');
});

test('a replay has the recorded answers and results, and asks before it calls a live tool', async () => {
  const { chats, connection, until } = await openChats();
  const chat = chats.start([connection], { ...SETTINGS, allow: { mode: 'all' } });
  const log = chats.get(chat)!;
  await chats.run({ kind: 'send', chat, parts: [{ type: 'text', text: 'greet her' }] });
  await until(log, 'end');
  const leaf = eventsOf(log).find((event) => event.type === 'answer')!.turn;
  const bodies = (events: readonly ChatEvent[]) =>
    events.flatMap((event) => (event.type === 'response' ? [JSON.parse(event.body)] : []));

  const again = await chats.replay(chat, leaf, []);
  const offline = chats.get(again)!;
  await until(offline, 'end');
  const events = eventsOf(offline);
  expect(JSON.stringify(events)).toContain('Done.');
  expect(events.some((event) => event.type === 'sent')).toBe(false);
  expect(bodies(events).flatMap(({ differences }) => differences)).toEqual([]);

  const live = await chats.replay(chat, leaf, [connection]);
  const asking = chats.get(live)!;
  await until(asking, 'ask');
  const asked = eventsOf(asking).find((event) => event.type === 'ask')!;
  await chats.run({ kind: 'decide', chat: live, call: asked.call, decision: { kind: 'answer', text: 'other' } });
  await until(asking, 'end');
  expect(bodies(eventsOf(asking)).flatMap(({ differences }) => differences)).toMatchObject([
    { part: 'message', name: 'tool', after: expect.stringContaining('other') },
  ]);
  await expect(chats.replay(chat, 't99', [])).rejects.toMatchObject({ code: 'no-branch' });
});

test('settings that allow a tool let its waiting call run', async () => {
  const { chats, connection, until } = await openChats();
  const chat = chats.start([connection], SETTINGS);
  const log = chats.get(chat)!;
  await chats.run({ kind: 'send', chat, parts: [{ type: 'text', text: 'greet her' }] });
  await until(log, 'ask');
  const { name } = eventsOf(log).find((event) => event.type === 'call')!.call;
  const { tools } = eventsOf(log).find((event) => event.type === 'tools')!;
  const offered = tools.find((tool) => tool.name === name)!;
  expect(offered).toMatchObject({ name, qualified: expect.stringMatching(`.__${name}$`) });
  await chats.run({
    kind: 'settings',
    chat,
    settings: { ...SETTINGS, allow: { mode: 'ask', tools: [offered.qualified!] } },
  });
  await until(log, 'end');
  expect(eventsOf(log).find((event) => event.type === 'decision')).toMatchObject({ by: 'rule' });
  expect(eventsOf(log).some(({ type }) => type === 'sent')).toBe(true);
});

test('a second message waits until the answer has ended, and a cancelled one ends', async () => {
  const { chats, connection, until } = await openChats();
  const chat = chats.start([connection], SETTINGS);
  const log = chats.get(chat)!;
  const parts = [{ type: 'text', text: 'greet her' }] as const;
  await chats.run({ kind: 'send', chat, parts });
  await until(log, 'ask');
  await expect(chats.run({ kind: 'send', chat, parts })).rejects.toMatchObject({ code: 'chat-busy' });
  await chats.run({ kind: 'cancel', chat });
  expect(eventsOf(log).at(-1)).toMatchObject({ type: 'end', reason: 'cancelled' });
  const answer = eventsOf(log).find(({ type }) => type === 'answer') as { readonly turn: string };
  await chats.run({ kind: 'send', chat, parts: [{ type: 'text', text: 'hi' }], parent: answer.turn });
});

test('a chat that does not exist, and a server that is gone, are failures with advice', async () => {
  const { chats } = await openChats();
  await expect(chats.run({ kind: 'cancel', chat: 'm9' })).rejects.toMatchObject({ code: 'no-chat' });
  expect(() => chats.start(['c9'], SETTINGS)).toThrow(/no connection/);
});

test('what servers offer is listed with the names of their tools', async () => {
  const { chats, connection } = await openChats();
  const [offer] = await chats.offers([connection]);
  expect(offer?.tools.map(({ name }) => name)).toContain('echo');
});

test('lists that the connection has read are not asked for again', async () => {
  const { chats, connection, tab } = await openChats();
  const lists = () => tab.texts('protocol').filter((text) => /"method":"[a-z]+\/list"/.test(text)).length;
  // The list of resources has two pages.
  const pages = /"(?:tools|prompts|resources|resourceTemplates)":\[/;
  await tab.until(() => tab.texts('protocol').filter((text) => pages.test(text)).length === 5);
  const before = lists();
  const [offer] = await chats.offers([connection]);
  expect(offer!.tools.length).toBeGreaterThan(0);
  expect(lists()).toBe(before);
});

test('lists that the connection is reading are not asked for again', async () => {
  const { chats, connection, tab } = await openChats();
  const asked = () => tab.texts('protocol').filter((text) => text.includes('"method":"tools/list"')).length;
  await tab.until(() => asked() === 1);
  const [offer] = await chats.offers([connection]);
  expect(offer!.tools.length).toBeGreaterThan(0);
  expect(asked()).toBe(1);
});

test('a model that can not be asked costs no message', async () => {
  const { chats, connection } = await openChats();
  const wrong = { ...SETTINGS, model: 'wrong:model' };
  await expect(chats.run({ kind: 'start', connections: [connection], settings: wrong })).rejects.toMatchObject({
    code: 'unknown-provider',
  });
  expect(chats.list()).toEqual([]);
  const chat = chats.start([connection], SETTINGS);
  await chats.run({ kind: 'settings', chat, settings: wrong });
  const parts = [{ type: 'text', text: 'hi' }] as const;
  await expect(chats.run({ kind: 'send', chat, parts })).rejects.toMatchObject({ code: 'unknown-provider' });
  expect(eventsOf(chats.get(chat)!).some(({ type }) => type === 'user')).toBe(false);
});

test('a malformed request of the page is refused', () => {
  expect(isChatRequest({ kind: 'cancel', chat: 'm1' })).toBe(true);
  for (const request of [
    {},
    { kind: 'toString' },
    { kind: 'cancel' },
    { kind: 'send', chat: 'm1', parts: [{ type: 'call', id: '1', name: 'x', arguments: '{}' }] },
    { kind: 'start', connections: [], settings: { ...SETTINGS, limits: { calls: -1 } } },
    { kind: 'decide', chat: 'm1', call: 's1', decision: { kind: 'always' } },
  ]) {
    expect(isChatRequest(request), JSON.stringify(request)).toBe(false);
  }
});

test('settings with a base URL that has a secret are refused, and not recorded', async () => {
  const { chats, connection } = await openChats();
  for (const baseUrl of ['http://me:secret@127.0.0.1/v1', 'http://127.0.0.1/v1?key=secret', 'secret@@']) {
    const before = chats.list().length;
    const settings = { ...SETTINGS, baseUrl };
    const refused = {
      code: 'invalid-base-url',
      advice: expect.stringContaining('without credentials, query or fragment'),
    };
    await expect(chats.run({ kind: 'start', connections: [connection], settings })).rejects.toMatchObject(refused);
    expect(chats.list()).toHaveLength(before);
    const chat = chats.start([connection], SETTINGS);
    await expect(chats.run({ kind: 'settings', chat, settings })).rejects.toMatchObject(refused);
    await expect(
      chats.run({ kind: 'decide', chat, call: 'c', decision: { kind: 'run' }, settings }),
    ).rejects.toMatchObject(refused);
    expect(JSON.stringify(eventsOf(chats.get(chat)!))).not.toContain('secret');
  }
});

/** Characters of a long prompt, and of each of 8 parts of a long resource. */
const LONG_TEXT = process.env.TEST_LONG ? 5_000_000 : 500_000;
/** A server whose prompt and resource are long. */
const LONG_ITEMS = `
const text = 'x'.repeat(${LONG_TEXT});
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'long', version: '1' } },
  'resources/read': { contents: Array(8).fill({ uri: 'a://b', text }) },
  'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text } }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'unknown' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});`;

test('attack: a long prompt or resource is cut, and says so', async () => {
  const { chats, connection } = await openChats({
    transport: 'stdio',
    command: process.execPath,
    args: ['-e', LONG_ITEMS],
  });
  const resource = await chats.run({ kind: 'resource', connection, uri: 'a://b' });
  expect(resource).toMatchObject({ cutFrom: 8 * LONG_TEXT });
  expect(JSON.stringify(resource).length).toBeLessThan(101_000);
  const prompt = await chats.run({ kind: 'prompt', connection, name: 'p', arguments: {} });
  expect(prompt).toMatchObject({ cutFrom: LONG_TEXT });
  expect(JSON.stringify(prompt)).toContain('You see only its beginning');
});

test('a server whose name differs between two chats stays the same in each', async () => {
  const { chats, connection, tab } = await openChats();
  const other = await tab.connect(DEMO);
  const alone = chats.server(other);
  const [, beside] = await chats.offers([connection, other]);
  expect(beside?.server).toBe(`${alone.name}_2`);
  expect(chats.server(other)).toBe(alone);
});

test('a connection that has ended is over', async () => {
  const { chats, connection, tab } = await openChats();
  const server = chats.server(connection);
  expect(server.isOver).toBe(false);
  await tab.ask({ type: 'restart', connection });
  await tab.lifecycle('closed');
  expect(server.isOver).toBe(true);
  expect(chats.server(connection)).not.toBe(server);
});
