import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import type { UrlTarget } from '@/lib/wire/command';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { climbKillLadder } from '../process/kill-ladder';
import { Reaper } from '../process/reaper';
import { spawnServer } from '../process/spawn';
import { freePort, listens } from './fixtures/ports';
import { openHub, type TestTab } from './test-hub';

const SERVERS = join(import.meta.dirname, '../../e2e/servers/node_modules');
const MODERN = join(SERVERS, '../modern-server.mjs');
const EVERYTHING = join(SERVERS, '@modelcontextprotocol/server-everything/dist/index.js');

const open = closedAfterEach();

/** Starts a server of `e2e/servers` over HTTP and returns its origin. */
async function run(...args: string[]): Promise<string> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const server = await spawnServer({ command: process.execPath, args, cwd: SERVERS, env }, new Reaper());
  server.child.stdout.resume();
  server.child.stderr.resume();
  open.push({
    close: () => climbKillLadder({ tree: server.tree, endStdin: () => {} }, 'SIGTERM', systemClock, () => {}),
  });
  await expect.poll(() => listens(port, '127.0.0.1')).toBe(true);
  return `http://localhost:${port}`;
}

function logOf(tab: TestTab): Log {
  const log = new Log('c');
  log.append(tab.frames);
  return log;
}

describe.skipIf(!existsSync(EVERYTHING))('server-everything, if `npm ci` was run in e2e/servers', () => {
  test.each<[string, string, UrlTarget['transport'], string]>([
    ['streamableHttp', '/mcp', 'auto', 'http'],
    ['sse', '/sse', 'auto', 'sse'],
    ['sse', '/sse', 'sse', 'sse'],
  ])('%s at %s, reached as %s', async (mode, path, transport, found) => {
    const origin = await run(EVERYTHING, mode);
    const hub = await openHub();
    open.push(hub);
    const tab = await hub.tab();
    const connection = await tab.connect({ transport, url: origin + path });
    await tab.until(() => logOf(tab).state.tools.status === 'listed');
    expect(hub.hub.connections()[0]).toMatchObject({ transport: found, era: 'legacy', version: '2025-11-25' });
    expect(logOf(tab).state.tools.items.length).toBeGreaterThan(10);
    const done = (await tab.ask({
      type: 'request',
      connection,
      method: 'tools/call',
      params: '{"name":"echo","arguments":{"message":"over HTTP"}}',
    })) as { seq: number };
    await tab.until(() => logOf(tab).exchange(done.seq)?.status === 'ok');
    expect(tab.texts('protocol').some((text) => text.includes('Echo: over HTTP'))).toBe(true);
    await tab.ask({ type: 'close', connection });
    if (found === 'http') expect(tab.texts('http').some((text) => text.includes('"method":"DELETE"'))).toBe(true);
  });
});

describe.skipIf(!existsSync(EVERYTHING))('a server on the official SDK, modern', () => {
  async function connected(mode: string, protocol = 'auto') {
    const hub = await openHub();
    open.push(hub);
    const tab = await hub.tab();
    const connection = await tab.connect(
      { transport: 'auto', url: `${await run(MODERN, mode, 'http')}/mcp` },
      'open',
      protocol,
    );
    await tab.until(() => logOf(tab).state.tools.status === 'listed');
    const call = async (name: string, args: object): Promise<number> => {
      const params = JSON.stringify({ name, arguments: args });
      const done = await tab.ask({ type: 'request', connection, method: 'tools/call', params });
      return (done as { seq: number }).seq;
    };
    return { hub: hub.hub, tab, connection, call };
  }

  test.each(['dual', 'reject'])('%s: finds the modern era, and sends an argument as a header', async (mode) => {
    const { hub, tab, call } = await connected(mode);
    expect(hub.connections()[0]).toMatchObject({ transport: 'http', era: 'modern', version: '2026-07-28' });
    for (const region of ['eu-west', ' größer\r\nX-Evil: 1']) {
      const seq = await call('in-region', { region });
      await tab.until(() => logOf(tab).exchange(seq)?.status !== 'pending');
      expect(logOf(tab).exchange(seq)?.status).toBe('ok');
    }
    expect(tab.texts('http').some((text) => text.includes('["Mcp-Param-Region","eu-west"]'))).toBe(true);
  });

  test('serves the pinned legacy version in dual mode', async () => {
    const { hub, tab, call } = await connected('dual', '2025-06-18');
    expect(hub.connections()[0]).toMatchObject({ era: 'legacy', version: '2025-06-18' });
    const seq = await call('add', { a: 1, b: 2 });
    await tab.until(() => logOf(tab).exchange(seq)?.status === 'ok');
  });

  test('progress comes on the response, and cancelling ends it', async () => {
    const { tab, connection, call } = await connected('reject');
    const seq = await call('count', { steps: 10_000, delayMs: 20 });
    await tab.until(() => (logOf(tab).exchange(seq)?.progress?.count ?? 0) >= 2);
    await tab.ask({ type: 'cancel', connection, id: logOf(tab).row(seq - 1).id });
    await tab.until(() => logOf(tab).exchange(seq)?.status === 'cancelled');
  });
});
