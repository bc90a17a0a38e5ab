import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Target } from '@/lib/wire/command';
import { openHub, type TestTab } from './test-hub';

const SERVER = join(import.meta.dirname, '../../e2e/servers/ask-server.mjs');
const target = (more: Partial<Target> = {}) =>
  ({ transport: 'stdio', command: process.execPath, args: [SERVER], ...more }) as Target;

let open: Awaited<ReturnType<typeof openHub>>;
let tab: TestTab;

beforeEach(async () => {
  open = await openHub();
  tab = await open.tab();
});
afterEach(() => open.close());

const waiting = (id: string) => open.hub.connections().find((connection) => connection.id === id)?.waiting;
const call = (connection: string, name: string) =>
  tab.ask({ type: 'request', connection, method: 'tools/call', params: JSON.stringify({ name }) });

test('one of two tabs answers: the server gets every digit, and the other tab gets an error', async () => {
  const other = await open.tab();
  const connection = await tab.connect(target(), 'open', '2025-11-25');
  await call(connection, 'kinds');
  await other.until(() => other.events.some((event) => event.type === 'connection' && event.connection.waiting === 1));
  const answer = { result: '{"action":"accept",\n"content":{"big":9007199254740993}}' };
  const command = { type: 'answer', connection, id: 'ask-1', answer } as const;
  expect(await tab.ask(command)).toMatchObject({ type: 'done' });
  expect(await other.ask(command)).toMatchObject({ type: 'error', code: 'not-waiting' });
  await tab.until(() => tab.texts('protocol').some((text) => text.includes('\\"big\\":9007199254740993')));
  expect(waiting(connection)).toBeUndefined();
});

test('sends the roots, and announces a change', async () => {
  const connection = await tab.connect(target(), 'open', '2025-11-25');
  const roots = [{ uri: 'file:///work', name: 'work' }];
  expect(await tab.ask({ type: 'set-roots', connection, roots })).toMatchObject({ type: 'done' });
  await call(connection, 'roots');
  await tab.until(() => tab.texts('protocol').some((text) => text.includes('\\"uri\\":\\"file:///work\\"')));
  expect(tab.texts('protocol').join()).toContain('notifications/roots/list_changed');

  const again = await tab.ask({ type: 'restart', connection });
  const restarted = (again as { connection: string }).connection;
  tab.frames.length = 0;
  tab.send({ type: 'attach', connection: restarted, after: 0 });
  await tab.until(() => tab.texts('lifecycle').some((text) => text.includes('"event":"roots"')));
});

test('refuses requests for undeclared capabilities without asking the person', async () => {
  const connection = await tab.connect(
    target({ profile: { capabilities: { roots: { listChanged: true } } } }),
    'open',
    '2025-11-25',
  );
  await call(connection, 'kinds');
  await tab.until(() => tab.texts('protocol').some((text) => text.includes('"code":-32601')));
  const initialize = tab.texts('protocol').find((text) => text.includes('"initialize"'));
  expect(JSON.parse(initialize ?? '').params.capabilities).toEqual({ roots: { listChanged: true } });
  expect(waiting(connection)).toBeUndefined();
});

test('a request that is too large to be read gets an error, and the log has both', async () => {
  const serve = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: 'deep', version: '1' } };
    if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    const deep = '['.repeat(400) + ']'.repeat(400);
    if (method === 'notifications/initialized')
      console.log('{"jsonrpc":"2.0","id":"deep-1","method":"sampling/createMessage","params":{"messages":' + deep + '}}');
  })`;
  const connection = await tab.connect(target({ args: ['-e', serve] }), 'open', '2025-11-25');
  await tab.until(() => tab.texts('protocol').some((text) => text.includes('"code":-32600')));
  const texts = tab.texts('protocol').filter((text) => text.includes('"id":"deep-1"'));
  expect(texts).toEqual([expect.stringContaining('sampling/createMessage'), expect.stringContaining('"error"')]);
  expect(waiting(connection)).toBeUndefined();
});

test('a standing answer is used without a person, in the next run too, and the log says so', async () => {
  const connection = await tab.connect(target(), 'open', '2025-11-25');
  await call(connection, 'nothing');
  await tab.until(() => waiting(connection) === 1);
  const answer = { result: '{"action":"accept","content":{}}' };
  const always = { type: 'answer', connection, id: 'ask-1', answer, always: true };
  expect(await tab.ask(always)).toMatchObject({ type: 'done' });
  await tab.until(() => waiting(connection) === undefined);
  expect(tab.texts('lifecycle').join()).not.toContain('standing-answer');

  const again = (await tab.ask({ type: 'restart', connection })) as { connection: string };
  tab.frames.length = 0;
  tab.send({ type: 'attach', connection: again.connection, after: 0 });
  await tab.lifecycle('open');
  await call(again.connection, 'nothing');
  await tab.until(() => tab.texts('protocol').some((text) => text.includes('\\"action\\":\\"accept\\"')));
  const event = { event: 'standing-answer', id: 'ask-1', method: 'elicitation/create' };
  expect(tab.texts('lifecycle').map((text) => JSON.parse(text))).toContainEqual(event);
  // Another question is left to the person.
  await call(again.connection, 'kinds');
  await tab.until(() => waiting(again.connection) === 1);

  const listed = await tab.ask({ type: 'standing', connection: again.connection });
  expect(listed).toMatchObject({ standing: { place: 'page', answers: [{ id: '1', answer }] } });
  const change = { id: '1', kind: 'delete' };
  const left = await tab.ask({ type: 'standing', connection: again.connection, change });
  expect(left).toMatchObject({ standing: { answers: [] } });
});

test('a question about a secret gets no standing answer and stays open', async () => {
  const connection = await tab.connect(target(), 'open', '2025-11-25');
  await call(connection, 'secret');
  await tab.until(() => waiting(connection) === 1);
  const answer = { result: '{"action":"decline"}' };
  const always = { type: 'answer', connection, id: 'ask-1', answer, always: true };
  expect(await tab.ask(always)).toMatchObject({ type: 'error', code: 'never-standing' });
  expect(await tab.ask({ ...always, answer: { result: '{' } })).toMatchObject({ code: 'result-not-json' });
  expect(await tab.ask({ ...always, id: 'ask-7' })).toMatchObject({ code: 'not-waiting' });
  expect(waiting(connection)).toBe(1);
  expect(await tab.ask({ type: 'standing', connection })).toMatchObject({ standing: { answers: [] } });
});
