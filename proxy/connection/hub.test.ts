import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ERA_KEPT_MS } from '@/lib/mcp/era-memory';
import { PROBE_QUIET_MS } from '@/lib/mcp/handshake';
import { systemClock } from '@/lib/wire/clock';
import { FakeClock } from '@/lib/wire/test-clock';
import { ServerEras } from '../recorder/server-eras';
import { isRunning } from './fixtures/hostile';
import { resolveLaunch, serverIdentity } from './launch';
import { hostileTarget, openHub, type TestTab } from './test-hub';
import { COMMANDS_PER_SECOND, MALFORMED_COMMANDS } from './viewer-socket';

type OpenHub = Awaited<ReturnType<typeof openHub>>;

let open: OpenHub;
let tab: TestTab;

beforeEach(async () => {
  open = await openHub();
  tab = await open.tab();
});
afterEach(() => open.close());

const summary = (id: string) => open.hub.connections().find((connection) => connection.id === id)!;

describe('a connection', () => {
  test('shakes hands, reads lists, calls, and logs every byte as a frame', async () => {
    const connection = await tab.connect(hostileTarget('honest'));
    expect(summary(connection)).toMatchObject({ state: 'open', era: 'legacy', version: '2025-11-25' });
    const params = '{"name":"echo","arguments":{"text":"123456789012345678901234567890"},"big":18446744073709551615}';
    const done = await tab.ask({ type: 'request', connection, method: 'tools/call', params });
    expect(done).toMatchObject({ type: 'done', connection });
    await tab.until(() => tab.texts('protocol').some((text) => text.includes('"content"')));
    const sent = tab.frames.find(({ seq }) => seq === (done as { seq?: number }).seq)!;
    expect(Buffer.from(sent.bytes).toString()).toContain('"big":18446744073709551615');
    expect(tab.texts('protocol').some((text) => text.includes('"tools/list"'))).toBe(true);
    expect(tab.frames.map(({ seq }) => seq)).toEqual(tab.frames.map((_frame, index) => index + 1));
  });

  test('is reported while it starts, even to other tabs', async () => {
    const other = await open.tab();
    await tab.ask({ type: 'connect', target: hostileTarget('silent'), protocol: 'auto' });
    await other.until(() => other.events.some(({ type }) => type === 'connection'));
    expect(other.events.at(-1)).toMatchObject({ connection: { state: 'starting' } });
  });

  test('sends initialize first if a legacy version is pinned', async () => {
    await tab.connect(hostileTarget('honest'), 'open', '2025-06-18');
    const first = tab.frames.find(({ channel }) => channel === 'protocol')!;
    expect(JSON.parse(Buffer.from(first.bytes).toString())).toMatchObject({
      method: 'initialize',
      params: { protocolVersion: '2025-06-18' },
    });
  });

  test('restarts a server that exits on the probe, and connects with initialize', async () => {
    const connection = await tab.connect(hostileTarget('rmcp'));
    expect(summary(connection).state).toBe('open');
    expect(tab.texts('lifecycle').filter((text) => text.includes('"spawned"')).length).toBe(2);
  });

  test.each(['exit-at-once', 'exit-on-initialize'])(
    '%s: failed, with its exit code, stderr and advice',
    async (how) => {
      const connection = await tab.connect(hostileTarget(how), 'failed');
      const { event: _, ...failed } = JSON.parse(tab.texts('lifecycle').find((text) => text.includes('"failed"'))!);
      // The page shows it before it has the log.
      expect(summary(connection)).toMatchObject({ state: 'failed', failure: failed });
      expect(failed).toMatchObject({ code: 'server-exited', message: expect.stringContaining('exited with code') });
      expect(failed.advice).not.toBe('');
    },
  );

  test('fails with advice if the command does not exist, and the hub keeps running', async () => {
    await tab.connect({ transport: 'stdio', command: '/no/such/program', args: [] }, 'failed');
    expect(tab.texts('lifecycle').find((text) => text.includes('"failed"'))).toMatch(/ENOENT|not found|no such/i);
    await tab.connect(hostileTarget('honest'));
  });

  test('keeps its log after a crash, and a restart is a new connection', async () => {
    const connection = await tab.connect(hostileTarget('crash'));
    await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo","arguments":{}}' });
    await tab.lifecycle('failed');
    expect(tab.texts('lifecycle').some((text) => text.includes('"signal":"SIGKILL"'))).toBe(true);
    const again = await tab.ask({ type: 'restart', connection });
    expect(again).toMatchObject({ type: 'done' });
    expect(open.hub.connections().map(({ state }) => state)).toContain('failed');
    expect(open.hub.connections().length).toBe(2);
  });

  test('ends the process when disconnected, and logs each step', async () => {
    const connection = await tab.connect(hostileTarget('honest'));
    const spawned = JSON.parse(tab.texts('lifecycle').find((text) => text.includes('"spawned"'))!);
    expect(await tab.ask({ type: 'close', connection })).toMatchObject({ type: 'done' });
    expect(isRunning(spawned.pid)).toBe(false);
    await tab.lifecycle('closed');
    expect(tab.texts('lifecycle').some((text) => text.includes('"stdin-end"'))).toBe(true);
    expect(summary(connection).state).toBe('closed');
    const refused = await tab.ask({ type: 'request', connection, method: 'ping' });
    expect(refused).toMatchObject({ type: 'error', code: 'not-connected' });
    await tab.ask({ type: 'forget', connection });
    expect(open.hub.connections()).toEqual([]);
  });

  test('ends the server once if restart or close come twice', async () => {
    const connection = await tab.connect(hostileTarget('honest'));
    const [first, second] = await Promise.all([
      tab.ask({ type: 'restart', connection }),
      tab.ask({ type: 'restart', connection }),
    ]);
    expect(first).toMatchObject({ type: 'done' });
    expect(second).toMatchObject({ type: 'done', connection: (first as { connection: string }).connection });
    expect(open.hub.connections().length).toBe(2);
    expect(tab.texts('lifecycle').filter((text) => text === '{"event":"closed"}').length).toBe(1);
  });

  test('takes the variables of an old connection, which are in no frame', async () => {
    const target = { ...hostileTarget('environ'), env: { HAND_TYPED: 'sesame-17', DROPPED: 'sesame-18' } };
    const old = await tab.connect(target);
    expect(tab.frames.map(({ bytes }) => Buffer.from(bytes).toString()).join()).not.toContain('sesame');
    await tab.ask({ type: 'close', connection: old });
    const again = { ...hostileTarget('environ'), base: old, env: { DROPPED: null } };
    const done = await tab.ask({ type: 'connect', target: again, protocol: 'auto' });
    const { launch } = open.hub.get((done as { connection: string }).connection);
    expect(launch).toMatchObject({ env: { HAND_TYPED: 'sesame-17' } });
    expect(launch).not.toHaveProperty('env.DROPPED');
    await tab.ask({ type: 'forget', connection: old });
    expect(await tab.ask({ type: 'connect', target: again, protocol: 'auto' })).toMatchObject({ code: 'no-base' });
  });

  test('waits for the process before shutdown and forget if the handshake was refused', async () => {
    const connection = await tab.connect(hostileTarget('stubborn-refusal'), 'handshake-failed');
    const { pid } = JSON.parse(tab.texts('lifecycle').find((text) => text.includes('"spawned"'))!);
    expect(summary(connection).state).toBe('handshake-failed');
    expect(await tab.ask({ type: 'forget', connection })).toMatchObject({ type: 'error', code: 'still-connected' });
    await open.hub.shutdown();
    expect(isRunning(pid)).toBe(false);
  });

  test('sends raw messages after a refused handshake, and ends the process when disconnected', async () => {
    const connection = await tab.connect(hostileTarget('refuses-initialize'), 'handshake-failed');
    const failed = tab.texts('lifecycle').find((text) => text.includes('"handshake-failed"'))!;
    expect(JSON.parse(failed)).toMatchObject({ code: 'handshake-refused', message: expect.stringContaining('-32603') });
    const text = '{"jsonrpc":"2.0","id":"raw-1","method":"tools/list"}';
    expect(await tab.ask({ type: 'send-raw', connection, text, terminate: true })).toMatchObject({ type: 'done' });
    await tab.until(() => tab.texts('protocol').some((line) => line.includes('"id":"raw-1","result"')));
    const { pid } = JSON.parse(tab.texts('lifecycle').find((event) => event.includes('"spawned"'))!);
    await tab.ask({ type: 'close', connection });
    expect(isRunning(pid)).toBe(false);
    expect(summary(connection).state).toBe('closed');
  });

  test('sends raw messages even to a server that exits on the probe and then refuses initialize', async () => {
    const connection = await tab.connect(hostileTarget('exits-then-refuses'), 'handshake-failed');
    const text = '{"jsonrpc":"2.0","id":"raw-1","method":"tools/list"}';
    expect(await tab.ask({ type: 'send-raw', connection, text, terminate: true })).toMatchObject({ type: 'done' });
  });

  test('fails if the server exits after its handshake was refused', async () => {
    const connection = await tab.connect(hostileTarget('refuses-initialize'), 'handshake-failed');
    const { pid } = JSON.parse(tab.texts('lifecycle').find((event) => event.includes('"spawned"'))!);
    process.kill(pid, 'SIGKILL');
    await tab.lifecycle('failed');
    expect(summary(connection).state).toBe('failed');
  });

  test('sends only the person’s own messages without a handshake', async () => {
    const connection = await tab.connect(hostileTarget('honest'), 'open', 'none');
    expect(summary(connection)).toMatchObject({ state: 'open' });
    const text = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}';
    await tab.ask({ type: 'send-raw', connection, text, terminate: true });
    await tab.until(() => tab.texts('protocol').some((line) => line.includes('"serverInfo"')));
    await tab.ask({ type: 'request', connection, method: 'tools/list' });
    await tab.until(() => tab.texts('protocol').some((line) => line.includes('"tools":[')));
    const sent = tab.frames.filter(({ channel, direction }) => channel === 'protocol' && direction === 'to-server');
    expect(sent.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()).method)).toEqual([
      'initialize',
      'tools/list',
    ]);
    expect(await tab.ask({ type: 'restart', connection })).toMatchObject({ type: 'done' });
  });

  test('tells the server about a cancelled raw request', async () => {
    const connection = await tab.connect(hostileTarget('honest'));
    await tab.ask({ type: 'cancel', connection, id: 'raw-1' });
    await tab.until(() =>
      tab.texts('protocol').some((text) => /notifications\/cancelled.*"requestId":"raw-1"/.test(text)),
    );
  });

  test('logs a huge line as a frame and keeps running', async () => {
    const connection = await tab.connect(hostileTarget('deep-line', '16000000'));
    await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo","arguments":{}}' });
    await tab.until(() => tab.frames.some(({ bytes }) => bytes.length > 16_000_000));
    expect(await tab.ask({ type: 'request', connection, method: 'ping' })).toMatchObject({ type: 'done' });
    expect(summary(connection).state).toBe('open');
  });

  test('attack: says that arguments of 3 MB are too long, and stays connected', async () => {
    const target = { ...hostileTarget('silent'), args: ['x'.repeat(3_000_000)] };
    expect(await tab.ask({ type: 'connect', target, protocol: 'auto' })).toMatchObject({ code: 'command-too-long' });
    await tab.connect(hostileTarget('deep-line', '1'));
  });

  test('refuses an invalid URL in one sentence', async () => {
    const target = { transport: 'http', url: 'file:///etc/passwd' };
    expect(await tab.ask({ type: 'connect', target, protocol: 'auto' })).toMatchObject({
      type: 'error',
      code: 'url-invalid',
    });
  });
});

describe('viewers', () => {
  test('see the same frames in a second tab, and after coming back', async () => {
    const connection = await tab.connect(hostileTarget('burst', '3000'));
    await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo","arguments":{}}' });
    await tab.until(
      () => tab.texts('protocol').filter((text) => text.includes('notifications/message')).length >= 3000,
    );
    const second = await open.tab();
    second.send({ type: 'attach', connection, after: 0 });
    await second.until(() => second.frames.length >= tab.frames.length);
    expect(second.frames).toEqual(tab.frames);
    const third = await open.tab();
    third.send({ type: 'attach', connection, after: 100 });
    await third.until(() => third.frames.at(-1)?.seq === tab.frames.length);
    expect(third.frames[0]!.seq).toBe(101);
  });

  test('attack: do not wait for a viewer that stops reading, which catches up by itself', async () => {
    const slow = await open.tab();
    const connection = await tab.connect(hostileTarget('big-line', '30000000'));
    slow.send({ type: 'attach', connection, after: 0 });
    await slow.lifecycle('open');
    slow.socket.pause();
    await tab.ask({ type: 'request', connection, method: 'tools/call', params: '{"name":"echo","arguments":{}}' });
    await tab.until(() => tab.frames.some(({ bytes }) => bytes.length > 30_000_000));
    expect(slow.frames.some(({ bytes }) => bytes.length > 30_000_000)).toBe(false);
    slow.socket.resume();
    await slow.until(() => slow.frames.length === tab.frames.length);
    expect(slow.frames.map(({ seq }) => seq)).toEqual(tab.frames.map(({ seq }) => seq));
  });

  test('attack: get an error for malformed commands; twenty in a row close the socket', async () => {
    tab.send('{"type":');
    tab.send('7');
    tab.send('{"type":"spawn"}');
    tab.send('{"type":"connect","ref":"mine","target":{}}');
    await tab.until(() => tab.events.filter(({ type }) => type === 'error').length === 4);
    expect(tab.events.at(-1)).toMatchObject({ code: 'malformed-command', ref: 'mine' });
    expect(tab.closed).toBeUndefined();
    await tab.connect(hostileTarget('honest'));
    for (let i = 0; i < MALFORMED_COMMANDS; i++) tab.send('[]');
    await tab.until(() => tab.closed !== undefined);
    expect(tab.closed).toBe(1008);
  });

  test('attack: a command flood is limited per viewer', async () => {
    const other = await open.tab();
    for (let i = 0; i < COMMANDS_PER_SECOND * 3; i++) {
      tab.send({ type: 'close', ref: `flood-${i}`, connection: 'none' });
    }
    await tab.until(() => tab.events.some((event) => event.type === 'error' && event.code === 'rate-limited'));
    const refused = await other.ask({ type: 'close', connection: 'none' });
    expect(refused).toMatchObject({ type: 'error', code: 'no-connection' });
  });
});

test('a restart that finishes after the last tab has left starts the wait for another tab', async () => {
  const clock = new FakeClock();
  const graced = await openHub({ now: systemClock.now, after: (ms, run) => clock.after(ms, run) }, 0);
  const only = await graced.tab();
  const { id } = await graced.hub.connect(hostileTarget('stubborn'), '2025-11-25');
  await expect.poll(() => graced.hub.get(id).summary.state).toBe('open');
  only.send({ type: 'restart', ref: 'r', connection: id });
  await expect.poll(() => graced.hub.get(id).summary.state).toBe('closing');
  only.socket.close();
  await expect
    .poll(
      () => {
        clock.advance(20);
        return graced.hub.connections().map(({ state }) => state);
      },
      { timeout: 15_000 },
    )
    .toEqual(['closed', 'closed']);
  await graced.close();
});

test('servers run on for a while after the last tab closes, and stop unless a tab comes back', async () => {
  const clock = new FakeClock();
  const graced = await openHub({ now: systemClock.now, after: (ms, run) => clock.after(ms, run) }, 5000);
  const only = await graced.tab();
  graced.hub.connect(hostileTarget('silent'), 'auto');
  const state = () => graced.hub.connections()[0]!.state;
  const waiting = clock.waiting;
  const left = async (leaving: TestTab) => {
    leaving.socket.close();
    await leaving.until(() => leaving.closed !== undefined);
    await expect.poll(() => clock.waiting).toBeGreaterThan(waiting);
  };
  await left(only);
  const back = await graced.tab();
  clock.advance(6000);
  expect(state()).not.toBe('closing');
  await left(back);
  clock.advance(4999);
  expect(state()).not.toBe('closing');
  clock.advance(2);
  await expect.poll(state).toBe('closed');
  await graced.close();
});

describe('the era of a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eras-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  /** Returns the methods sent before the end of the handshake. */
  const opening = ({ frames }: TestTab) =>
    frames
      .filter(({ channel, direction }) => channel === 'protocol' && direction === 'to-server')
      .map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()).method as string)
      .filter((method) => method === 'server/discover' || method === 'initialize');

  test('a restart does not probe again', async () => {
    const connection = await tab.connect(hostileTarget('honest'));
    expect(opening(tab)).toEqual(['server/discover', 'initialize']);
    const again = await tab.ask({ type: 'restart', connection });
    const other = await open.tab();
    other.send({ type: 'attach', connection: (again as { connection: string }).connection, after: 0 });
    await other.lifecycle('open');
    expect(opening(other)).toEqual(['initialize']);
    expect(other.texts('lifecycle').join()).toContain('"era-remembered","era":"legacy"');
  });

  test('a later run does not probe, unless the server has changed', async () => {
    const run = async () => {
      const later = await openHub(
        systemClock,
        undefined,
        undefined,
        undefined,
        new ServerEras(join(folder, 'a/recordings')),
      );
      const first = await later.tab();
      await first.connect(hostileTarget('honest'));
      await later.close();
      return opening(first);
    };
    expect(await run()).toEqual(['server/discover', 'initialize']);
    expect(await run()).toEqual(['initialize']);
    const eras = new ServerEras(join(folder, 'a/recordings'));
    const identity = serverIdentity(resolveLaunch(hostileTarget('honest'), 'auto', []));
    eras.remember(identity, { ...eras.read(identity)!, server: 'another one', at: new Date().toISOString() });
    expect(await run()).toEqual(['initialize']);
    expect(await run()).toEqual(['server/discover', 'initialize']);
  });

  test('is forgotten after a failed handshake, and not remembered for a chosen version', async () => {
    const eras = new ServerEras(join(folder, 'b/recordings'));
    const target = hostileTarget('refuses-initialize');
    const identity = serverIdentity(resolveLaunch(target, 'auto', []));
    eras.remember(identity, { era: 'legacy', server: 'x', at: new Date().toISOString() });
    const later = await openHub(systemClock, undefined, undefined, undefined, eras);
    const first = await later.tab();
    await first.connect(target, 'handshake-failed');
    expect(opening(first)).toEqual(['initialize', 'server/discover', 'initialize']);
    expect(eras.read(identity)).toBeUndefined();
    await first.connect(hostileTarget('honest'), 'open', '2025-06-18');
    await later.close();
    expect(eras.read(serverIdentity(resolveLaunch(hostileTarget('honest'), 'auto', [])))).toBeUndefined();
  });

  test('is probed again after a long time', async () => {
    const eras = new ServerEras(join(folder, 'c/recordings'));
    const at = new Date(Date.now() - ERA_KEPT_MS).toISOString();
    const identity = serverIdentity(resolveLaunch(hostileTarget('honest'), 'auto', []));
    eras.remember(identity, { era: 'legacy', server: 'hostile-honest 1.0.0', at });
    const later = await openHub(systemClock, undefined, undefined, undefined, eras);
    const first = await later.tab();
    await first.connect(hostileTarget('honest'));
    await later.close();
    expect(opening(first)).toEqual(['server/discover', 'initialize']);
    expect(eras.read(identity)!.at > at).toBe(true);
  });
});

const SERVERS = join(import.meta.dirname, '../../e2e/servers');
const SERVER_SDK = join(SERVERS, 'node_modules/@modelcontextprotocol/server');

describe.skipIf(!existsSync(SERVER_SDK))('a modern server that starts slowly (needs `npm ci` in e2e/servers)', () => {
  const server = join(SERVERS, 'modern-server.mjs');
  const slow = join(import.meta.dirname, 'fixtures/slow-start.mjs');
  const pids = (tab: TestTab) =>
    tab.texts('lifecycle').flatMap((text) => (text.includes('"spawned"') ? [JSON.parse(text).pid as number] : []));
  const waiting = (tab: TestTab, count: number) => tab.until(() => tab.texts('stderr').length === count);

  test.each([
    ['reject', 1],
    ['dual', 2],
  ])('%s: opens modern, after %d starts', async (mode, starts) => {
    const clock = new FakeClock();
    const later = await openHub(clock);
    const own = await later.tab();
    await own.connect({ transport: 'stdio', command: process.execPath, args: [slow, server, mode] }, 'spawned');
    await waiting(own, 1);
    clock.advance(PROBE_QUIET_MS);
    await own.lifecycle('probe-silent');
    process.kill(pids(own)[0]!, 'SIGUSR2');
    if (starts === 2) {
      await waiting(own, 2);
      process.kill(pids(own)[1]!, 'SIGUSR2');
    }
    await own.lifecycle('open');
    expect(later.hub.connections()).toMatchObject([{ era: 'modern', version: '2026-07-28' }]);
    await own.until(() => own.texts('protocol').some((text) => text.includes('"tools":[')));
    const tools = own.texts('protocol').find((text) => text.includes('"tools":['))!;
    expect(JSON.parse(tools).result.resultType).toBe('complete');
    expect(pids(own)).toHaveLength(starts);
    await later.close();
  });
});
