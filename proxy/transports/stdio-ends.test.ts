import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { serverEnvironment } from '@/proxy/process/environment';
import { call, fastClock, hostile, isRunning, pidOf, request } from './fixtures/hostile';
import { start } from './fixtures/started';
import type { RecordingSink } from './recording-sink';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stdio-ends-')));
afterAll(() => rmSync(folder, { recursive: true }));

const initialize = request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} });
const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
const events = (sink: RecordingSink): string[] =>
  sink.lifecycles.map((event) => (event.event === 'rung' ? event.rung : event.event));

/** The pid that the server said it started. */
async function startedBy(sink: RecordingSink): Promise<number> {
  const pid = (): number => Number(/started (\d+)/.exec(sink.lines('protocol').join())?.[1] ?? Number.NaN);
  await sink.until(
    (seen) => !Number.isNaN(pid()) && seen.lines('protocol').some((line) => line.startsWith('grandchild')),
  );
  return pid();
}

describe('a server that exits', () => {
  const stages: [behaviour: string, sent: string[], code: number | null, signal: string | null][] = [
    ['exit-at-once', [], 3, null],
    ['exit-on-initialize', [initialize], 4, null],
    ['exit-after-open', [initialize, initialized], 5, null],
    ['exit-on-call', [initialize, initialized, call(2, 'x')], 6, null],
    ['rmcp', [request(1, 'server/discover')], 1, null],
    ['crash', [call(1, 'x')], null, 'SIGKILL'],
  ];
  test.each(stages)(
    '%s: code and signal are told, once, after all that it printed',
    async (behaviour, sent, code, signal) => {
      const { transport, sink } = await start(behaviour);
      for (const text of sent) transport.send(text);
      await sink.until((seen) => seen.ends.length > 0);
      expect(sink.ends).toEqual([{ code, signal }]);
      expect(events(sink)).toEqual(['spawned', 'exit']);
      expect(sink.lifecycles.at(-1)).toEqual({ event: 'exit', code, signal });
      expect(sink.frames.at(-1)!.channel).toBe('lifecycle');
    },
  );

  test('its last words on stderr come before the exit', async () => {
    const { transport, sink } = await start('exit-on-call');
    transport.send(call(1, 'x'));
    await sink.until((seen) => seen.ends.length > 0);
    expect(sink.frames.map((frame) => frame.channel)).toEqual(['lifecycle', 'protocol', 'stderr', 'lifecycle']);
    expect(sink.lines('stderr')).toEqual(['Traceback: something is None']);
  });

  test('attack 34: once it is gone, close signals nobody', async () => {
    const { transport, sink } = await start('exit-at-once');
    await sink.until((seen) => seen.ends.length > 0);
    const kill = vi.spyOn(process, 'kill');
    await transport.close();
    expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual([]);
    kill.mockRestore();
    expect(events(sink)).toEqual(['spawned', 'exit']);
  });
});

describe('a server that is ended', () => {
  test('an honest one goes at the end of its stdin', async () => {
    const { transport, sink } = await start('honest');
    await transport.close();
    expect(events(sink)).toEqual(['spawned', 'stdin-end', 'exit']);
    expect(sink.ends).toEqual([{ code: 0, signal: null }]);
  });

  test('attack 31: one that ignores stdin and SIGTERM, with a grandchild that does too, is dead within 5 s', async () => {
    const { transport, sink } = await start('stubborn-tree');
    const grandchild = await startedBy(sink);
    const began = performance.now();
    await transport.close();
    expect(performance.now() - began).toBeLessThan(5000);
    expect(isRunning(pidOf(sink))).toBe(false);
    expect(isRunning(grandchild)).toBe(false);
    expect(events(sink)).toEqual(['spawned', 'stdin-end', 'SIGTERM', 'SIGKILL', 'exit']);
    expect(sink.ends).toEqual([{ code: null, signal: 'SIGKILL' }]);
  });

  test('a close while it starts waits for it and ends it', async () => {
    const { transport, sink } = hostile('stubborn', { clock: fastClock });
    const opening = transport.open();
    await Promise.all([opening, transport.close()]);
    expect(sink.ends).toHaveLength(1);
    expect(isRunning(pidOf(sink))).toBe(false);
  });
});

describe('what a server leaves behind', () => {
  test('a grandchild that holds stdout is reported and ended with the group', async () => {
    const { sink } = await start('grandchild', { clock: fastClock });
    const grandchild = await startedBy(sink);
    process.kill(pidOf(sink), 'SIGKILL');
    await sink.until((seen) => seen.ends.length > 0);
    expect(events(sink)).toEqual(['spawned', 'exit', 'output-held', 'SIGTERM', 'SIGKILL']);
    expect(sink.ends).toEqual([{ code: null, signal: 'SIGKILL' }]);
    expect(isRunning(grandchild)).toBe(false);
  });

  test('all that the server printed comes before its exit, though somebody else holds the pipe', async () => {
    const { transport, sink } = await start('last-words', { clock: fastClock });
    await startedBy(sink);
    transport.send('go');
    await sink.until((seen) => seen.ends.length > 0);
    expect(sink.lines('protocol').at(-1)).toBe('line 19999');
    const exit = sink.lines('lifecycle').findIndex((text) => text.includes('"exit"'));
    expect(sink.of('lifecycle')[exit]!.seq).toBeGreaterThan(sink.of('protocol').at(-1)!.seq);
  });

  test('attack 31: a process with a session of its own is reported, not hidden, and not waited for', async () => {
    const pipes = (): number => process.getActiveResourcesInfo().filter((type) => type === 'PipeWrap').length;
    const before = pipes();
    const { transport, sink } = await start('setsid', { clock: fastClock });
    const grandchild = await startedBy(sink);
    try {
      await transport.close();
      expect(events(sink)).toEqual(['spawned', 'stdin-end', 'exit', 'output-held']);
      expect(sink.lines('lifecycle').at(-1)).toContain('left its process group');
      expect(isRunning(grandchild)).toBe(true);
      await expect.poll(pipes).toBe(before);
    } finally {
      process.kill(grandchild, 'SIGKILL');
    }
  });
});

describe('a server that can not be started', () => {
  test('attack 27: the cause is told apart, nothing is reported as begun, and close has nothing to do', async () => {
    const plain = join(folder, 'plain.txt');
    writeFileSync(plain, 'not a program', { mode: 0o644 });
    const script = join(folder, 'script');
    writeFileSync(script, '#!/no/such/interpreter\n', { mode: 0o755 });
    const causes: [options: Parameters<typeof hostile>[1], code: string][] = [
      [{ command: 'no-such-command-anywhere' }, 'command-not-found'],
      [{ command: join(folder, 'missing') }, 'command-not-found'],
      [{ command: join(plain, 'below') }, 'command-not-found'],
      [{ command: folder }, 'command-is-directory'],
      [{ command: plain }, 'command-not-executable'],
      [{ command: script }, 'interpreter-not-found'],
      [{ cwd: join(folder, 'missing') }, 'cwd-not-found'],
      [{ cwd: plain }, 'cwd-not-directory'],
      [{ command: '' }, 'command-invalid'],
      [{ args: ['a\0b'] }, 'command-invalid'],
      [{ args: ['x'.repeat(8 * 1024 * 1024)] }, 'command-too-long'],
    ];
    for (const [options, code] of causes) {
      const { transport, sink } = hostile('honest', options);
      await expect(transport.open()).rejects.toMatchObject({ code, advice: expect.stringMatching(/\w\.|\?/) });
      await transport.close();
      expect(sink.frames).toEqual([]);
      expect(sink.ends).toEqual([]);
    }
  });
});

describe('what a server gets', () => {
  async function environ(
    options: Parameters<typeof hostile>[1],
  ): Promise<{ argv: string[]; cwd: string; env: NodeJS.ProcessEnv }> {
    const { transport, sink } = await start('environ', options);
    transport.send(call(1, 'x'));
    await sink.until((seen) => seen.messages.length > 0);
    return JSON.parse(JSON.parse(sink.messages[0]!).result.content[0].text);
  }

  test('attack 25: shell metacharacters and line feeds in argv are literal', async () => {
    const canary = join(folder, 'canary');
    const args = [
      `; touch ${canary}`,
      `$(touch ${canary})`,
      `\`touch ${canary}\``,
      `& touch ${canary} &`,
      '"\'',
      'a\nb',
      '*',
      '',
    ];
    expect((await environ({ args })).argv).toEqual(args);
    const { transport } = hostile('honest', { command: `touch ${canary}; ${process.execPath}` });
    await expect(transport.open()).rejects.toMatchObject({ code: 'command-not-found' });
    const before = hostile('honest', { command: 'sh -c "id"' });
    await expect(before.transport.open()).rejects.toMatchObject({ code: 'command-not-found' });
    expect(() => writeFileSync(canary, '', { flag: 'wx' })).not.toThrow();
  });

  test('attack 28: of the environment only the allowlist and the named extras, of ours nothing', async () => {
    const own = {
      ...process.env,
      AWS_SECRET_ACCESS_KEY: 'aws',
      NODE_OPTIONS: '--no-warnings',
      MCP_INSPECT_TOKEN: 'ours',
    };
    const allowlist = serverEnvironment({ policy: 'allowlist', own, extras: { API_KEY: 'named', __proto__: 'x' } });
    const { env } = await environ({ env: allowlist.env });
    const allowed = ['API_KEY', 'HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
    expect(Object.keys(env).filter((name) => !allowed.includes(name))).toEqual([]);
    expect(env).toMatchObject({ API_KEY: 'named', PATH: process.env.PATH });

    const shell = serverEnvironment({ policy: 'shell', own, extras: {} });
    const all = (await environ({ env: shell.env })).env;
    expect(all.AWS_SECRET_ACCESS_KEY).toBe('aws');
    expect(Object.keys(all).filter((name) => name.startsWith('MCP_INSPECT_'))).toEqual([]);
  });

  test('it starts in the working directory it was given', async () => {
    expect((await environ({ cwd: folder })).cwd).toBe(folder);
  });
});
