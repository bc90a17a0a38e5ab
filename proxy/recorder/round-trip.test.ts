import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import { CATALOG, HTTP_CATALOG } from '../../e2e/servers/catalog.mjs';
import { hostileTarget, openHub } from '../connection/test-tab';
import { climbKillLadder } from '../process/kill-ladder';
import { spawnServer } from '../process/spawn';
import { freePort, listens } from '../transports/fixtures/ports';
import { openFile } from './open-file';
import { Recorder } from './recorder';

const installed = existsSync(join(import.meta.dirname, '../../e2e/servers/node_modules'));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Everything that is derived from a log. */
function derived(log: Log) {
  const rows = Array.from({ length: log.size }, (_, index) => ({
    row: log.row(index),
    text: log.text(index),
    exchange: log.exchange(index + 1),
  }));
  return { state: log.state, rows, bytes: log.totalBytes };
}

/** Connects, calls a tool that is there and one that is not, disconnects; then opens what was recorded of it. */
async function capturedAndOpened(target: Target, protocol = 'auto') {
  const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder });
  const open = await openHub(systemClock, undefined, undefined, recorder);
  try {
    const tab = await open.tab();
    const log = new Log('c');
    const seen = () => {
      log.append(tab.frames);
      return log;
    };
    const connection = await tab.connect(target, 'open', protocol);
    await tab.until(
      () => /listed|failed|none/.test(seen().state.tools.status) && seen().state.server.seq !== undefined,
    );
    for (const name of [seen().state.tools.items[0]?.name ?? 'echo', 'no such tool']) {
      const params = JSON.stringify({ name, arguments: {} });
      const { seq } = (await tab.ask({ type: 'request', connection, method: 'tools/call', params })) as { seq: number };
      await tab.until(() => seen().exchange(seq)?.status !== 'pending');
    }
    await tab.ask({ type: 'close', connection });
    await tab.lifecycle('closed');
    const live = derived(seen());

    const files = readdirSync(folder);
    expect(files).toHaveLength(1);
    await expect
      .poll(async () => {
        const opened = await open.hub.openRecording(await openFile(join(folder, files[0]!)));
        await expect.poll(() => opened.summary.recording?.report).toBeDefined();
        return opened.summary.recording?.report?.complete;
      })
      .toBe(true);
    const [again] = open.hub.connections().slice(-1);
    const second = await open.tab();
    second.send({ type: 'attach', connection: again!.id, after: 0 });
    await second.until(() => second.frames.length >= live.rows.length);
    const reopened = new Log('c');
    reopened.append(second.frames);
    return { live, reopened: derived(reopened) };
  } finally {
    await open.close();
  }
}

test('a session with a server that prints anything but JSON comes back as it was', async () => {
  const { live, reopened } = await capturedAndOpened(hostileTarget('junk'));
  expect(reopened).toEqual(live);
});

describe.skipIf(!installed)('real servers, if `npm ci` was run in e2e/servers', () => {
  test.each(CATALOG.map(({ name, ...server }) => [name, server] as const))(
    '%s over stdio: what was captured opens as it was',
    async (_name, { command, args }) => {
      const { live, reopened } = await capturedAndOpened({ transport: 'stdio', command, args });
      expect(live.rows.length).toBeGreaterThan(8);
      expect(reopened).toEqual(live);
    },
    60_000,
  );

  test.each(HTTP_CATALOG.map(({ name, ...server }) => [name, server] as const))(
    '%s over HTTP: what was captured opens as it was',
    async (_name, { file, args, path }) => {
      const port = await freePort();
      const env = { ...process.env, PORT: String(port) };
      const server = await spawnServer(
        { command: process.execPath, args: [file, ...args(port)], cwd: folder, env },
        () => {},
      );
      server.child.stdout.resume();
      server.child.stderr.resume();
      try {
        await expect.poll(() => listens(port, 'localhost'), { timeout: 30_000 }).toBe(true);
        const { live, reopened } = await capturedAndOpened({
          transport: 'auto',
          url: `http://localhost:${port}${path}`,
        });
        expect(reopened).toEqual(live);
      } finally {
        await climbKillLadder({ tree: server.tree, endStdin: () => {} }, 'SIGTERM', systemClock, () => {});
      }
    },
    60_000,
  );
});
