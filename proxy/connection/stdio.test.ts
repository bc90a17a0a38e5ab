import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { ConnectionError } from '@/lib/transports/transport';
import { FLAG } from '@/lib/wire/frame';
import { serverEnvironment } from '@/proxy/process/environment';
import { call, fastClock, hostile, isRunning, pidOf, request } from './fixtures/hostile';
import { start } from './fixtures/started';
import { RecordingSink } from './test-sink';
import { transportContract } from './test-transport-contract';

describe('stdio', () => {
  transportContract('stdio', (server, sink) => hostile(server, { sink, clock: fastClock }).transport, {
    lines: true,
    noticesEnd: true,
  });

  /** Returns the text of the answer to request `id`. */
  const answer = (id: number | string, text: string): string =>
    JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

  /** Returns the code of the failure that `run` throws. */
  function refusal(run: () => void): string | undefined {
    try {
      run();
    } catch (error) {
      return (error as ConnectionError).code;
    }
    return undefined;
  }

  const answered = (sink: RecordingSink): boolean => sink.messages.some((message) => message.includes('"result"'));

  describe('stdout', () => {
    test('logs a banner before the first message, and finds the answer after it', async () => {
      const { transport, sink } = await start('banner');
      transport.send(call(1, 'hi'));
      await sink.until(answered);
      expect(sink.lines('protocol')).toEqual([
        '\x1b[32m*** Welcome to hostile-server ***\x1b[0m',
        '',
        'Listening on stdio…',
        answer(1, 'hi'),
      ]);
      expect(sink.messages).toEqual([answer(1, 'hi')]);
    });

    test('keeps junk between messages line by line in its place', async () => {
      const { transport, sink } = await start('junk');
      transport.send(call(1, 'hi'));
      await sink.until((seen) => seen.lines('protocol').some((text) => text.includes('server.js')));
      expect(sink.lines('protocol')).toEqual([
        'debug: got tools/call',
        '',
        '\0',
        '{"jsonrpc":"2.0","half":',
        '[1,2',
        'null',
        answer(1, 'hi'),
        '  at Object.<anonymous> (server.js:1:1)',
      ]);
    });

    test('keeps the carriage return of CR LF in the frame', async () => {
      const { transport, sink } = await start('crlf');
      transport.send(call(1, 'hi'));
      await sink.until(answered);
      expect(sink.lines('protocol')).toEqual([`${answer(1, 'hi')}\r`]);
    });

    test('keeps a byte order mark in the frame, but not in the message', async () => {
      const { transport, sink } = await start('bom');
      transport.send(call(1, 'hi'));
      await sink.until(answered);
      expect([...sink.framesOf('protocol')[0]!.bytes.subarray(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 0x7b]);
      expect(sink.messages[0]).toMatch(/^\{/);
    });

    test('reads a flood into the same memory, because the log has copied it, and loses nothing', async () => {
      const memories = new Set<ArrayBufferLike>();
      class WatchingSink extends RecordingSink {
        override appendLines(...lines: Parameters<RecordingSink['appendLines']>): boolean {
          if (lines[2].length > 10_000) memories.add(lines[2].buffer);
          return super.appendLines(...lines);
        }
      }
      const { transport, sink } = await start('mirror', { sink: new WatchingSink() });
      const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`.padEnd(200, '.'));
      transport.sendRaw(Buffer.from(lines.join('\n')), true);
      await sink.until((seen) => seen.frames.length > 2 * lines.length);
      expect(sink.lines('protocol')).toEqual(lines);
      expect(memories.size).toBe(1);
    });

    test('ends no line at U+2028, U+2029, U+0085 or NUL', async () => {
      const { transport, sink } = await start('separators');
      transport.send(call(1, 'hi'));
      await sink.until(answered);
      expect(sink.lines('protocol')).toEqual([answer(1, 'a\u2028b\u2029c\u0085d\0e')]);
    });

    test('keeps invalid UTF-8', async () => {
      const { transport, sink } = await start('invalid-utf8');
      transport.send(call(1, 'hi'));
      await sink.until(answered);
      const bytes = Buffer.from(sink.framesOf('protocol')[0]!.bytes);
      expect(bytes.includes(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80]))).toBe(true);
      expect(sink.messages[0]).toContain('\uFFFD');
    });

    test('joins a line in pieces of 7 bytes, cut inside characters, to one frame', async () => {
      const { transport, sink } = await start('slow-split');
      transport.send(call(1, 'hi'));
      await sink.until(answered);
      expect(sink.lines('protocol')).toEqual([answer(1, 'hi é€😀')]);
    });

    test('passes an answer of 20 MB on one line whole', async () => {
      const { transport, sink } = await start('big-line');
      transport.send(call(1, 'hi'));
      await sink.until(answered);
      expect(sink.messages[0]).toHaveLength(answer(1, '').length + 20_000_000);
    });

    test('keeps and flags a last line without its line feed, which is not a message', async () => {
      const { transport, sink } = await start('no-final-newline');
      transport.send(call(1, 'hi'));
      await sink.until((seen) => seen.ends.length > 0);
      expect(sink.framesOf('protocol').map((frame) => frame.flags)).toEqual([FLAG.unterminated]);
      expect(sink.lines('protocol')).toEqual([answer(1, 'hi')]);
      expect(sink.messages).toEqual([]);
    });

    test('logs a burst of notifications, and passes only the answer to the engine', async () => {
      const { transport, sink } = await start('burst');
      transport.send(call(1, 'hi'));
      await sink.until(answered);
      const lines = sink.lines('protocol');
      expect(lines).toHaveLength(10_001);
      expect(lines.slice(0, -1).every((text, index) => text.includes(`"burst ${index} `))).toBe(true);
      expect(sink.messages).toEqual([answer(1, 'hi')]);
    });
  });

  describe('stderr', () => {
    test('20 MB neither block the server nor lose a line', async () => {
      const { transport, sink } = await start('stderr-flood');
      transport.send(call(1, 'hi'));
      await sink.until(answered);
      await sink.until((seen) => seen.framesOf('stderr').length >= 200_000);
      const stderr = sink.framesOf('stderr');
      expect(stderr.reduce((sum, frame) => sum + frame.bytes.length, 0)).toBe(99 * 200_000);
      expect(sink.lines('protocol')).toEqual([answer(1, 'hi')]);
    });

    test('shows a prompt without a line feed', async () => {
      const { sink } = await start('stderr-prompt');
      await sink.until((seen) => seen.framesOf('stderr').length > 0);
      expect(sink.lines('stderr')).toEqual(['Password: ']);
      expect(sink.framesOf('stderr')[0]!.flags).toBe(FLAG.continued);
    });
  });

  describe('stdin', () => {
    test('keeps a message with line feeds between tokens on one line', async () => {
      const { transport, sink } = await start('mirror');
      transport.send('{\r\n  "id": 1,\n  "x": "a\\nb"\n}');
      await sink.until((seen) => seen.framesOf('protocol').length > 0);
      expect(sink.lines('protocol')).toEqual(['{    "id": 1,   "x": "a\\nb" }']);
      expect(sink.lines('protocol', 'to-server')).toEqual(sink.lines('protocol'));
    });

    test('logs raw bytes with line feeds as one frame per line', async () => {
      const { transport, sink } = await start('mirror');
      const seq = transport.sendRaw(Buffer.from('one\n\nthree'), true);
      await sink.until((seen) => seen.framesOf('protocol').length === 3);
      expect(sink.framesOf('protocol', 'to-server')[0]!.seq).toBe(seq);
      expect(sink.lines('protocol', 'to-server')).toEqual(['one', '', 'three']);
      expect(sink.lines('protocol')).toEqual(['one', '', 'three']);
    });

    test('logs a frame even for zero bytes', async () => {
      const { transport, sink } = await start('mirror');
      expect(transport.sendRaw(new Uint8Array(), false)).toBe(2);
      expect(sink.framesOf('protocol', 'to-server').map((frame) => frame.flags)).toEqual([FLAG.unterminated]);
    });

    test('survives EPIPE: the server lives, and a later message is refused with the reason', async () => {
      const { transport, sink } = await start('closes-stdin', { clock: fastClock });
      await sink.until((seen) => seen.lines('protocol').includes('stdin closed'));
      transport.send(request(1, 'ping'));
      await expect.poll(() => refusal(() => transport.send(request(2, 'ping')))).toBe('stdin-closed');
      expect(sink.ends).toEqual([]);
      await transport.close();
      expect(sink.ends).toEqual([{ code: null, signal: 'SIGTERM' }]);
    });

    test('refuses messages to a server that reads nothing, before memory fills up', async () => {
      const { transport, sink } = await start('silent', { clock: fastClock });
      process.kill(pidOf(sink), 'SIGSTOP');
      const megabyte = Buffer.alloc(1024 * 1024, 'x');
      let sent = 0;
      while (sent < 100 && refusal(() => transport.sendRaw(megabyte, true)) === undefined) sent++;
      expect(refusal(() => transport.sendRaw(megabyte, true))).toBe('server-not-reading');
      expect(sent).toBeGreaterThanOrEqual(64);
      expect(sent).toBeLessThan(70);
    });
  });
});

describe('stdio ends', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stdio-ends-')));
  afterAll(() => rmSync(folder, { recursive: true }));

  const initialize = request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} });
  const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const events = (sink: RecordingSink): string[] =>
    sink.lifecycles.map((event) => (event.event === 'rung' ? event.rung : event.event));

  /** Returns the pid of the process that the server started. */
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
    test.each(stages)('%s: reports code and signal once, after all output', async (behaviour, sent, code, signal) => {
      const { transport, sink } = await start(behaviour);
      for (const text of sent) transport.send(text);
      await sink.until((seen) => seen.ends.length > 0);
      expect(sink.ends).toEqual([{ code, signal }]);
      expect(events(sink)).toEqual(['spawned', 'exit']);
      expect(sink.lifecycles.at(-1)).toEqual({ event: 'exit', code, signal });
      expect(sink.frames.at(-1)!.channel).toBe('lifecycle');
    });

    test('logs its last words on stderr before the exit', async () => {
      const { transport, sink } = await start('exit-on-call');
      transport.send(call(1, 'x'));
      await sink.until((seen) => seen.ends.length > 0);
      expect(sink.frames.map((frame) => frame.channel)).toEqual(['lifecycle', 'protocol', 'stderr', 'lifecycle']);
      expect(sink.lines('stderr')).toEqual(['Traceback: something is None']);
    });

    test('attack: close signals nobody once it is gone', async () => {
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
    test('exits at the end of its stdin if it is honest', async () => {
      const { transport, sink } = await start('honest');
      await transport.close();
      expect(events(sink)).toEqual(['spawned', 'stdin-end', 'exit']);
      expect(sink.ends).toEqual([{ code: 0, signal: null }]);
    });

    test('attack: is dead within 5 s if it and a grandchild ignore stdin and SIGTERM', async () => {
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

    test('is ended by a close while it starts', async () => {
      const { transport, sink } = hostile('stubborn', { clock: fastClock });
      const opening = transport.open();
      await Promise.all([opening, transport.close()]);
      expect(sink.ends).toHaveLength(1);
      expect(isRunning(pidOf(sink))).toBe(false);
    });
  });

  describe('after a server’s exit', () => {
    test('reports a grandchild that holds stdout, and ends it with the group', async () => {
      const { sink } = await start('grandchild', { clock: fastClock });
      const grandchild = await startedBy(sink);
      process.kill(pidOf(sink), 'SIGKILL');
      await sink.until((seen) => seen.ends.length > 0);
      expect(events(sink)).toEqual(['spawned', 'exit', 'output-held', 'SIGTERM', 'SIGKILL']);
      expect(sink.ends).toEqual([{ code: null, signal: 'SIGKILL' }]);
      expect(isRunning(grandchild)).toBe(false);
    });

    test('logs all of the server’s output before its exit, though another process holds the pipe', async () => {
      const { transport, sink } = await start('last-words', { clock: fastClock });
      await startedBy(sink);
      transport.send('go');
      await sink.until((seen) => seen.ends.length > 0);
      expect(sink.lines('protocol').at(-1)).toBe('line 19999');
      const exit = sink.lines('lifecycle').findIndex((text) => text.includes('"exit"'));
      expect(sink.framesOf('lifecycle')[exit]!.seq).toBeGreaterThan(sink.framesOf('protocol').at(-1)!.seq);
    });

    test('attack: reports a process with its own session, and does not wait for it', async () => {
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

  describe('a server that cannot be started', () => {
    test('attack: reports the cause, logs no start, and close has nothing to do', async () => {
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

  describe('a server gets', () => {
    async function environ(
      options: Parameters<typeof hostile>[1],
    ): Promise<{ argv: string[]; cwd: string; env: NodeJS.ProcessEnv }> {
      const { transport, sink } = await start('environ', options);
      transport.send(call(1, 'x'));
      await sink.until((seen) => seen.messages.length > 0);
      return JSON.parse(JSON.parse(sink.messages[0]!).result.content[0].text);
    }

    test('attack: shell metacharacters and line feeds in argv literally', async () => {
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

    test('attack: only the allowlist and the named extras of the environment, and nothing of ours', async () => {
      const own = {
        ...process.env,
        AWS_SECRET_ACCESS_KEY: 'aws',
        NODE_OPTIONS: '--no-warnings',
        MCP_INSPECT_TOKEN: 'ours',
      };
      const allowlist = serverEnvironment({ policy: 'allowlist', own, extras: { API_KEY: 'named', __proto__: 'x' } });
      const { env } = await environ({ env: allowlist.env });
      const allowed = ['API_KEY', 'MCP_INSPECT_RUN', 'HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
      expect(Object.keys(env).filter((name) => !allowed.includes(name))).toEqual([]);
      expect(env).toMatchObject({ API_KEY: 'named', PATH: process.env.PATH });

      const shell = serverEnvironment({ policy: 'shell', own, extras: {} });
      const all = (await environ({ env: shell.env })).env;
      expect(all.AWS_SECRET_ACCESS_KEY).toBe('aws');
      // The mark by which the reaper finds it.
      expect(Object.keys(all).filter((name) => name.startsWith('MCP_INSPECT_'))).toEqual(['MCP_INSPECT_RUN']);
    });

    test('its working directory', async () => {
      expect((await environ({ cwd: folder })).cwd).toBe(folder);
    });
  });
});
