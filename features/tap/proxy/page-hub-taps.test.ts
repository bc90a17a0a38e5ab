import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '@/lib/wire/clock';
import { PageHub } from '@/proxy/commands/inspect/page-hub';
import { TestTab } from '@/proxy/connection/test-hub';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { runningTaps } from './find-taps';
import { ask, testHttpTaps } from './http/test-http-tap';
import { TapWatch } from './tap-watch';
import { type TestTaps, testTaps } from './test-tap';

const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}\n';
const answer =
  '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"shell","version":"1"}}}';
/** Answers `initialize`, and then echoes. */
const SERVER = ['sh', '-c', `read line; echo '${answer}'; cat`];

function openHub(): PageHub {
  const reaper = new Reaper();
  const version = '0.0.0-test';
  return new PageHub(
    () => {},
    {
      clock: systemClock,
      version,
      presets: [],
      openTransport: (launch, sink) =>
        createTransport(launch, { sink, clock: systemClock, reaper, version, allowLinkLocal: false }),
      lookFurther: async () => {},
    },
    { reaper, allowLinkLocal: false, given: { on: false, globs: [] } },
  );
}

describe.skipIf(process.platform === 'win32')('a tapped session on the page', { timeout: 60_000 }, () => {
  let taps: TestTaps;
  let hub: PageHub;
  let watch: TapWatch;
  const pids: number[] = [];

  beforeEach(async () => {
    taps = await testTaps();
    hub = openHub();
    watch = new TapWatch(taps.recordings, (tap, source) => void hub.showTap(tap, source));
  });
  afterEach(async () => {
    watch.stop();
    await hub.shutdown();
    for (const pid of pids.splice(0)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    taps.remove();
  });

  /** Starts a tap whose session is open. */
  const opened = async (options: readonly string[], through?: string) => {
    const tap = taps.start(options, SERVER, through);
    pids.push(tap.pid!);
    tap.stdin.write(initialize);
    await once(tap.stdout, 'data');
    return tap;
  };

  test('is shown live, begun before or after the page', async () => {
    const before = await opened(['--host', 'cursor', '--name', 'first']);
    watch.start();
    await vi.waitFor(() => expect(hub.connections()).toHaveLength(1));
    await vi.waitFor(() =>
      expect(hub.connections()[0]).toMatchObject({
        state: 'open',
        era: 'legacy',
        version: '2025-11-25',
        serverName: 'shell',
        transport: 'stdio',
        recording: { tap: { host: 'cursor', live: true } },
      }),
    );
    const { log } = hub.get('c1');
    const had = log.last;
    before.stdin.write('{"jsonrpc":"2.0","method":"n"}\n');
    await vi.waitFor(() => expect(log.last).toBe(had + 2));

    await opened(['--name', 'second']);
    await vi.waitFor(() => expect(hub.connections()).toHaveLength(2));
    expect(runningTaps(taps.recordings).map(({ name, host }) => [name, host])).toEqual([
      ['first', 'cursor'],
      ['second', undefined],
    ]);
    before.stdin.end();
    await vi.waitFor(() =>
      expect(hub.connections()[0]).toMatchObject({ state: 'closed', recording: { report: { complete: true } } }),
    );
    expect(hub.connections()[0]!.recording!.tap).toEqual({ host: 'cursor' });
  });

  test('can’t be driven from the page, and outlives it', async () => {
    const tap = await opened([]);
    watch.start();
    await vi.waitFor(() => expect(hub.connections()[0]).toMatchObject({ state: 'open' }));
    expect(() => hub.live('c1')).toThrow('Another client drives this session, so nothing can be sent from here.');
    await expect(hub.restart('c1')).rejects.toMatchObject({ code: 'is-tapped' });
    await expect(hub.get('c1').annotate({ on: 1, text: 'x', bookmark: false })).rejects.toMatchObject({
      code: 'still-tapped',
    });
    await hub.close(hub.get('c1'), 'user');
    watch.stop();
    await hub.shutdown();
    tap.stdin.write('{"jsonrpc":"2.0","method":"still here"}\n');
    const [chunk] = await once(tap.stdout, 'data');
    expect(String(chunk)).toContain('still here');
  });

  test('obeys the rules of a page until it is gone', async () => {
    const door = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    door.on('connection', (socket, { socket: wire }) => hub.accept(socket, wire));
    await once(door, 'listening');
    const { port } = door.address() as { port: number };
    const tab = new TestTab(new WebSocket(`ws://127.0.0.1:${port}`));
    const tap = await opened([]);
    let got = '';
    tap.stdout.on('data', (chunk: Buffer) => {
      got += chunk;
    });
    watch.start();
    await vi.waitFor(() => expect(hub.connections()[0]).toMatchObject({ state: 'open' }));
    const rules = [{ name: 'all', direction: 'to-server', action: { do: 'hold' } }];
    const c1 = { connection: 'c1' };
    expect(await tab.ask({ type: 'set-rules', ...c1, rules })).toMatchObject({ type: 'done' });
    tap.stdin.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":2,"method":"b"}\n');
    tab.send({ type: 'attach', ...c1, after: 0 });
    await tab.until(() => tab.texts('lifecycle').some((text) => text.includes('"hold":2')));
    expect(await tab.ask({ type: 'read-held', ...c1, hold: 1 })).toMatchObject({
      held: { text: '{"jsonrpc":"2.0","id":1,"method":"a"}' },
    });
    const decision = { do: 'release', text: 'changed' };
    expect(await tab.ask({ type: 'decide', ...c1, hold: 1, decision })).toMatchObject({ type: 'done' });
    await vi.waitFor(() => expect(got).toBe('changed\n'));
    expect(await tab.ask({ type: 'decide', ...c1, hold: 1, decision })).toMatchObject({ code: 'not-held' });
    tab.socket.close();
    await vi.waitFor(() => expect(got).toBe('changed\n{"jsonrpc":"2.0","id":2,"method":"b"}\n'));
    tap.stdin.end();
    await vi.waitFor(() => expect(hub.connections()[0]).toMatchObject({ state: 'closed' }));
    await expect(hub.get('c1').setRules({}, [])).rejects.toMatchObject({ code: 'no-interception' });
    door.close();
  });

  test('has no rules of a page any more once it is closed there', async () => {
    const tap = await opened([]);
    watch.start();
    await vi.waitFor(() => expect(hub.connections()[0]).toMatchObject({ state: 'open' }));
    await hub.get('c1').setRules({}, [{ name: 'all', action: { do: 'hold' } }]);
    tap.stdin.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n');
    await vi.waitFor(async () => expect(String(await hub.get('c1').readHeld(1))).toContain('"a"'));
    await hub.forget(hub.get('c1'));
    const [chunk] = await once(tap.stdout, 'data');
    expect(String(chunk)).toBe('{"jsonrpc":"2.0","id":1,"method":"a"}\n');
  });

  test('that was killed ends, with everything that was recorded', async () => {
    const tap = await opened([]);
    watch.start();
    await vi.waitFor(() => expect(hub.connections()[0]).toMatchObject({ state: 'open' }));
    const had = hub.get('c1').log.last;
    tap.kill('SIGKILL');
    await vi.waitFor(() =>
      expect(hub.connections()[0]).toMatchObject({ state: 'closed', recording: { report: { ended: false } } }),
    );
    expect(hub.get('c1').log.last).toBe(had + 1);
  });

  test('that stops recording says so, and goes on', async () => {
    const tap = await opened([], `trap '' XFSZ; ulimit -f 16; "$@"`);
    watch.start();
    await vi.waitFor(() => expect(hub.connections()[0]).toMatchObject({ state: 'open' }));
    tap.stdin.write(`{"jsonrpc":"2.0","method":"${'x'.repeat(1000)}"}\n`.repeat(20));
    await vi.waitFor(() =>
      expect(hub.connections()[0]).toMatchObject({ state: 'closed', recording: { tap: { unrecorded: true } } }),
    );
    tap.stdin.end('{"jsonrpc":"2.0","method":"last"}\n');
    let output = '';
    for await (const chunk of tap.stdout) output += chunk;
    expect(output).toContain('last');
  });

  test('shows its further files as runs', async () => {
    const tap = await opened(['--rotate', 'size=1KB']);
    watch.start();
    await vi.waitFor(() => expect(hub.connections()[0]).toMatchObject({ state: 'open' }));
    tap.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"${'x'.repeat(2000)}"}\n`.repeat(2));
    await vi.waitFor(() => expect(hub.connections()).toHaveLength(4));
    await vi.waitFor(() =>
      expect(hub.connections().find(({ run }) => run === 4)).toMatchObject({
        entry: 'c1',
        state: 'open',
        serverName: 'shell',
        recording: { tap: { live: true } },
      }),
    );
    // The end of a file is written while the next ones go on.
    await vi.waitFor(() => expect(hub.connections()[0]).toMatchObject({ recording: { report: { complete: true } } }));
  });

  test('is not made up by a file that something else wrote', async () => {
    mkdirSync(taps.recordings, { recursive: true });
    const name = `20260101T000000Z-x-p${process.ppid}-0123abcd.mcpr.jsonl`;
    writeFileSync(join(taps.recordings, name), '{"mcpr":2,"mode":"tap"}\n{"n":1}\n');
    symlinkSync('/etc/passwd', join(taps.recordings, name.replace('0123', '9999')));
    writeFileSync(join(taps.recordings, 'notes.txt'), 'x');
    expect(runningTaps(taps.recordings)).toEqual([]);
  });

  test('is shown for each session of an HTTP tap', async () => {
    const http = await testHttpTaps();
    const answers = new Map([
      ['initialize', '{"protocolVersion":"2025-11-25","serverInfo":{"name":"far","version":"1"}}'],
      ['ping', '{}'],
    ]);
    const origin = await http.serve(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const { id, method } = JSON.parse(text);
      response.setHeader('content-type', 'application/json');
      if (method === 'initialize') response.setHeader('mcp-session-id', `session-${id}`);
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${answers.get(method)}}`);
    });
    const { url } = await http.spawn(`${origin}/mcp`);
    const post = (body: string, headers: object = {}) =>
      ask(url, { body, headers: { 'content-type': 'application/json', ...headers } });
    await post(initialize);
    await post(initialize.replace('"id":0', '"id":1'));
    const far = new TapWatch(http.recordings, (tap, source) => void hub.showTap(tap, source));
    far.start();
    await vi.waitFor(() => expect(hub.connections()).toHaveLength(2));
    await vi.waitFor(() =>
      expect(hub.connections()[1]).toMatchObject({
        state: 'open',
        era: 'legacy',
        version: '2025-11-25',
        serverName: 'far',
        title: `${origin}/mcp`,
        recording: { tap: { live: true } },
      }),
    );
    const had = hub.connections().map(({ id }) => hub.get(id).log.last);
    await post('{"jsonrpc":"2.0","id":2,"method":"ping"}', { 'mcp-session-id': 'session-1' });
    await vi.waitFor(() =>
      expect(
        hub
          .connections()
          .map(({ id }, at) => hub.get(id).log.last - had[at]!)
          .sort(),
      ).toEqual([0, 5]),
    );
    far.stop();
    await http.remove();
  });
});
