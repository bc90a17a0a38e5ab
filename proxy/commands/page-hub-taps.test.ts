import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { runningTaps } from '@/proxy/tap/find-taps';
import { TapWatch } from '@/proxy/tap/tap-watch';
import { type TestTaps, testTaps } from '@/proxy/tap/test-tap';
import { PageHub } from './page-hub';

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
  const opened = async (options: readonly string[]) => {
    const tap = taps.start(options, SERVER);
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
        ...{ state: 'open', era: 'legacy', version: '2025-11-25', serverName: 'shell', transport: 'stdio' },
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

  test('shows its further files as runs', async () => {
    const tap = await opened(['--max-size', '1KB']);
    watch.start();
    await vi.waitFor(() => expect(hub.connections()[0]).toMatchObject({ state: 'open' }));
    tap.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"${'x'.repeat(2000)}"}\n`.repeat(2));
    await vi.waitFor(() => expect(hub.connections()).toHaveLength(4));
    await vi.waitFor(() =>
      expect(hub.connections().find(({ run }) => run === 4)).toMatchObject({
        ...{ entry: 'c1', state: 'open', serverName: 'shell', recording: { tap: { live: true } } },
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
});
