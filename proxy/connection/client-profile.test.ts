import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostileTarget, openHub, type TestTab } from './test-hub';

let open: Awaited<ReturnType<typeof openHub>>;
let tab: TestTab;

beforeEach(async () => {
  open = await openHub();
  tab = await open.tab();
});
afterEach(() => open.close());

const summary = (id: string) => open.hub.connections().find((connection) => connection.id === id)!;
const sent = (method: string) =>
  tab
    .texts('protocol')
    .filter((text) => text.includes(`"method":"${method}"`))
    .map((text) => JSON.parse(text).params);
const EXTRA = { meta: { 'com.example/tenant': 'a' }, timeouts: { silenceMs: 40 } };

test('a target’s profile is sent, logged and kept over a restart', async () => {
  const profile = { capabilities: { sampling: {} }, info: { name: 'other', title: 'Other' }, ...EXTRA };
  const connection = await tab.connect({ ...hostileTarget('honest'), profile }, 'open', '2025-11-25');
  const [params] = sent('initialize');
  expect(params).toMatchObject({ capabilities: { sampling: {} }, _meta: EXTRA.meta });
  expect(params.clientInfo).toEqual({ name: 'other', title: 'Other', version: '0.0.0-test' });
  expect(sent('tools/list')[0]).toEqual({ _meta: expect.objectContaining(EXTRA.meta) });
  expect(JSON.parse(tab.texts('lifecycle')[0]!)).toMatchObject({ event: 'start', profile });

  const again = (await tab.ask({ type: 'restart', connection })) as { connection: string };
  tab.frames.length = 0;
  tab.send({ type: 'attach', connection: again.connection, after: 0 });
  await tab.lifecycle('open');
  expect(JSON.parse(tab.texts('lifecycle')[0]!)).toMatchObject({ event: 'start', profile });
});

test('a legacy server learns of other capabilities by a restart only, and of the rest at once', async () => {
  const connection = await tab.connect(hostileTarget('honest'), 'open', '2025-11-25');
  const profile = { capabilities: { roots: {} } };
  expect(await tab.ask({ type: 'set-profile', connection, profile })).toMatchObject({ code: 'needs-handshake' });
  expect(await tab.ask({ type: 'set-profile', connection, profile: EXTRA })).toMatchObject({ type: 'done' });
  await tab.ask({ type: 'request', connection, method: 'ping' });
  await tab.until(() => sent('ping').length > 0);
  expect(sent('ping')[0]._meta).toEqual(EXTRA.meta);
  expect(tab.texts('lifecycle').map((text) => JSON.parse(text))).toContainEqual({ event: 'profile', profile: EXTRA });

  const made = (await tab.ask({ type: 'restart', connection, profile })) as { connection: string };
  tab.frames.length = 0;
  tab.send({ type: 'attach', connection: made.connection, after: 0 });
  await tab.lifecycle('open');
  expect(sent('initialize')[0].capabilities).toEqual({ roots: {} });
  expect(sent('initialize')[0]).not.toHaveProperty('_meta');
});

test('a borrowed name: exact capabilities, its protocol, a mark in the summary, and a restart for another', async () => {
  const profile = {
    as: 'codex',
    protocol: '2025-06-18',
    answersRoots: true as const,
    capabilities: { elicitation: { form: {}, url: {} } },
    info: { name: 'codex-mcp-client', title: 'Codex', version: '1' },
  };
  const connection = await tab.connect({ ...hostileTarget('honest'), profile }, 'open');
  expect(sent('initialize')[0]).toEqual({
    protocolVersion: '2025-06-18',
    capabilities: profile.capabilities,
    clientInfo: profile.info,
  });
  expect(sent('server/discover')).toEqual([]);
  expect(summary(connection)).toMatchObject({ as: 'codex' });
  const other = { ...profile, as: 'other' };
  expect(await tab.ask({ type: 'set-profile', connection, profile: other })).toMatchObject({ code: 'needs-handshake' });
  const made = (await tab.ask({ type: 'restart', connection, profile: {} })) as { connection: string };
  expect(summary(made.connection)).not.toHaveProperty('as');
});

test('settings that change while connected are kept for the next time, but not those of a trial', async () => {
  const connection = await tab.connect(hostileTarget('honest'), 'open', '2025-11-25');
  await tab.until(() => open.uses.some(({ opened }) => opened));
  await tab.ask({ type: 'set-profile', connection, profile: EXTRA });
  expect(open.uses.at(-1)).toMatchObject({ launch: { profile: EXTRA }, target: hostileTarget('honest') });

  const profile = { capabilities: { roots: {} } };
  const again = (await tab.ask({ type: 'restart', connection, profile })) as { connection: string };
  expect(open.uses.at(-1)?.launch.profile).toEqual(profile);

  const told = open.uses.length;
  await tab.ask({ type: 'try-profile', connection: again.connection, profile: {}, trial: 'without roots' });
  await tab.ask({ type: 'restart', connection: again.connection });
  expect(open.uses.length).toBe(told);
});

/** Asks for a sample as a task after the handshake, and for its status at each ping. */
const ASKER = `
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const capabilities = {}, serverInfo = { name: 'asker', version: '1' };
let taskId;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } });
  else if (method === 'notifications/initialized')
    say({ id: 'ask', method: 'sampling/createMessage', params: { task: {}, messages: [], maxTokens: 1 } });
  else if (id === 'ask') taskId = result.task.taskId;
  else if (method === 'ping') {
    say({ id, result: {} });
    say({ id: 'get', method: 'tasks/get', params: { taskId } });
  }
});`;

test('a task of the server goes on when the profile changes', async () => {
  const target = { transport: 'stdio', command: process.execPath, args: ['-e', ASKER] } as const;
  const connection = await tab.connect(target, 'open', '2025-11-25');
  const answerTo = (id: string) =>
    tab
      .texts('protocol')
      .map((text) => JSON.parse(text))
      .find((message) => message.id === id && message.method === undefined);
  await tab.until(() => answerTo('ask') !== undefined);
  await tab.ask({ type: 'set-profile', connection, profile: EXTRA });
  await tab.ask({ type: 'request', connection, method: 'ping' });
  await tab.until(() => answerTo('get') !== undefined);
  expect(answerTo('get')).toMatchObject({ result: { taskId: answerTo('ask').result.task.taskId, status: 'working' } });
});

test('a trial runs beside the present run, and a restart ends the present one', async () => {
  const connection = await tab.connect(hostileTarget('honest'), 'open', '2025-11-25');
  const trial = { type: 'try-profile', connection, profile: { capabilities: {} }, trial: 'without roots' } as const;
  const made = (await tab.ask(trial)) as { connection: string };
  expect(summary(made.connection)).toMatchObject({ entry: connection, run: 2, trial: 'without roots' });
  tab.frames.length = 0;
  tab.send({ type: 'attach', connection: made.connection, after: 0 });
  await tab.lifecycle('open');
  expect(sent('initialize')[0].capabilities).toEqual({});
  expect(summary(connection).state).toBe('open');

  const next = (await tab.ask({ type: 'restart', connection: made.connection })) as { connection: string };
  expect(summary(next.connection)).toMatchObject({ entry: connection, run: 3 });
  expect(summary(next.connection).trial).toBeUndefined();
  expect(summary(connection).state).toBe('closed');
  expect(summary(made.connection).state).toBe('open');
});

test('two restarts at once with a profile each: the later one has the last word', async () => {
  const connection = await tab.connect(hostileTarget('honest'), 'open', '2025-11-25');
  const profiles = [{ info: { name: 'one' } }, { info: { name: 'two' } }];
  const made = await Promise.all(profiles.map((profile) => open.hub.restart(connection, profile)));
  expect(made.map(({ launch }) => launch.profile)).toEqual(profiles);
  expect(made.map(({ summary: { run } }) => run)).toEqual([2, 3]);
});

test('nothing can be changed once the connection has ended', async () => {
  const connection = await tab.connect(hostileTarget('honest'), 'open', '2025-11-25');
  await tab.ask({ type: 'close', connection });
  expect(await tab.ask({ type: 'set-profile', connection, profile: EXTRA })).toMatchObject({ code: 'not-connected' });
});
