import { join } from 'node:path';
import { expect, test } from 'vitest';
import { framesFrom } from '@/lib/hub/frame-log';
import { PrintedLines } from '@/lib/hub/printed-lines';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import { FakeClock } from '@/lib/wire/test-clock';
import { hostileTarget } from '@/proxy/connection/test-hub';
import { createTransport, lookFurther } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { PageHub } from './page-hub';

const HTTP_INSTEAD = join(import.meta.dirname, '../../connection/fixtures/http-instead.mjs');

/** Connects to a server as the command line does. Resolves with the connection's last state and the printed lines. */
async function connectFirst(target: Target, call?: string) {
  const printed: string[] = [];
  const reaper = new Reaper();
  const version = '0.0.0-test';
  const hub = new PageHub(
    (sentence) => printed.push(sentence),
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
  const connection = await hub.connectFirst(target, '2025-11-25');
  const { server } = connection;
  await expect.poll(() => server.state).not.toBe('starting');
  if (call !== undefined) {
    server.request('tools/call', call);
    await expect.poll(() => printed).toHaveLength(1);
  }
  const { state } = server;
  await hub.shutdown();
  return { state, printed, connection };
}

test.each<[string, Target, string, RegExp]>([
  [
    'a missing command',
    { transport: 'stdio', command: 'no-such-command', args: [] },
    'failed',
    /^Could not connect to `no-such-command`\. The command no-such-command was not found\. Check .+\.$/,
  ],
  [
    'a crash, with the line of stderr that explains it',
    hostileTarget('exit-at-once'),
    'failed',
    /^Could not connect to .+ `hostile-server: no configuration found`\. The server exited with code \d+ before it was ready\. This is the last line that it printed\..+$/,
  ],
  [
    'a refused handshake',
    hostileTarget('refuses-initialize'),
    'handshake-failed',
    /^Could not connect to `hostile-server\.mjs`\. .+$/,
  ],
])('prints one line about %s', async (_name, target, state, line) => {
  const first = await connectFirst(target);
  await expect.poll(() => first).toMatchObject({ state, printed: [expect.stringMatching(line)] });
  // The page shows the same before it has the log.
  const told = () =>
    Object.values(first.connection.summary.failure ?? {})
      .slice(1)
      .join(' ');
  await expect.poll(() => first.printed[0]?.includes(told())).toBe(true);
});

function hubOf() {
  const printed: string[] = [];
  const reaper = new Reaper();
  const version = '0.0.0-test';
  const clock = new FakeClock();
  const hub = new PageHub(
    (sentence) => printed.push(sentence),
    {
      clock,
      version,
      presets: [],
      openTransport: (launch, sink) =>
        createTransport(launch, { sink, clock: systemClock, reaper, version, allowLinkLocal: false }),
      lookFurther: (launch, where, sink, signal) =>
        lookFurther(launch, where, { sink, clock: systemClock, version, allowLinkLocal: false }, signal),
    },
    { reaper, allowLinkLocal: false, given: { on: false, globs: [] } },
  );
  return { hub, clock, printed };
}

test('says that a process serves HTTP instead, while the page goes on waiting', async () => {
  const { hub, clock, printed } = hubOf();
  const target = { transport: 'stdio', command: process.execPath, args: [HTTP_INSTEAD, '/mcp'] } as const;
  const { server, log } = await hub.connectFirst(target, '2025-11-25');
  const address = async (): Promise<string | undefined> => {
    const lines = new PrintedLines();
    for (const frame of framesFrom(await log.segmentOf(1), 1)) lines.add(frame);
    return lines.url;
  };
  await expect.poll(address).toBeDefined();
  clock.advance(2000);
  await expect
    .poll(() => printed)
    .toEqual([
      expect.stringMatching(
        /^No MCP response yet from `.+`\. .+ serves MCP over HTTP at http:.+\/mcp, but mcp-inspect /,
      ),
    ]);
  expect(server.state).toBe('starting');
  await hub.shutdown();
});

test('names an answer that can’t be read while the page waits', async () => {
  const { hub, clock, printed } = hubOf();
  const print = `require('readline').createInterface({ input: process.stdin }).on('line', (line) =>
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: {} }, null, 2) + '\\n'));`;
  const target = { transport: 'stdio', command: process.execPath, args: ['-e', print] } as const;
  const { server, log } = await hub.connectFirst(target, '2025-11-25');
  await expect.poll(() => log.last).toBeGreaterThan(6);
  clock.advance(2000);
  await expect
    .poll(() => printed)
    .toEqual([expect.stringMatching(/^No MCP response yet from `.+`\. .+ to initialize: .+ printed over 5 lines/)]);
  expect(server.state).toBe('starting');
  await hub.shutdown();
});

test('prints nothing about a server that starts', async () => {
  expect(await connectFirst(hostileTarget('honest'))).toMatchObject({ state: 'open', printed: [] });
});

test('prints one line about a server that crashes later', async () => {
  const { state, printed } = await connectFirst(hostileTarget('crash', 'SIGKILL'), '{"name":"echo","arguments":{}}');
  expect(state).toBe('failed');
  expect(printed).toEqual([
    expect.stringMatching(
      /^The connection to `hostile-server\.mjs` ended\. .*The server was ended by SIGKILL before it answered tools\/call\. /,
    ),
  ]);
});
