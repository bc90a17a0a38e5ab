import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import { finished, memoryOf, processesWith, sha256, type TestTaps, testTaps } from './test-tap';

/** Random bytes that pass a tap in one test. */
const PASSED_BYTES = process.env.TEST_LONG ? 8_000_000 : 800_000;

let taps: TestTaps;
beforeAll(async () => {
  taps = await testTaps();
}, 60_000);
afterAll(() => taps.remove());

/** A Node program as a command. */
const script = (text: string): readonly string[] => [process.execPath, '-e', text];
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const running: number[] = [];
afterEach(() => {
  for (const pid of running.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
});

describe.skipIf(process.platform === 'win32')('a tap', { timeout: 60_000 }, () => {
  test('passes random bytes, half lines and CRLF both ways unchanged', async () => {
    const sent = Buffer.concat([randomBytes(PASSED_BYTES), Buffer.from('\r\n{"half":'), randomBytes(100_001)]);
    const tap = taps.start([], ['cat']);
    const all = finished(tap);
    for (let at = 0; at < sent.length; at += 77_777) {
      if (!tap.stdin.write(sent.subarray(at, at + 77_777))) await once(tap.stdin, 'drain');
    }
    tap.stdin.end();
    const { stdout, code } = await all;
    expect(sha256(stdout)).toBe(sha256(sent));
    expect(code).toBe(0);
  });

  test('passes a message of 32 MB', async () => {
    const server = script(
      'let n=0;process.stdin.on("data",(c)=>{n+=c.length}).on("end",()=>process.stdout.write("x".repeat(n)+"\\n"))',
    );
    const tap = taps.start(['--record', 'off'], server);
    const all = finished(tap);
    tap.stdin.end(Buffer.alloc(32_000_000, 'y'));
    expect((await all).stdout.length).toBe(32_000_001);
  });

  test('receives the telemetry of the server with --otel on, and records it without its token', async () => {
    const body = {
      resourceSpans: [
        {
          scopeSpans: [{ spans: [{ traceId: '1'.repeat(32), spanId: '2'.repeat(16), name: '' }] }],
        },
      ],
    };
    const program = `
      const to = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
      const body = JSON.stringify(${JSON.stringify(body)}).replace('"name":""', '"name":"' + to + '"');
      const headers = { 'Content-Type': 'application/json' };
      fetch(to + '/v1/traces', { method: 'POST', headers, body }).then(({ status }) => console.log(status, to));`;
    const { stdout, stderr } = await finished(taps.start(['--otel', 'on'], script(program)));
    const [, status, token = ''] = /^(\d+) http:\/\/127\.0\.0\.1:\d+\/otel\/([\w-]+)\n$/.exec(text(stdout)) ?? [];
    expect([status, stderr]).toEqual(['200', '']);
    const name = taps.names().at(-1)!;
    const { frames } = taps.read(name);
    expect(frames.filter(({ channel }) => channel === 'otel')).toHaveLength(2);
    const start = lifecycleEventOf(frames[0]!.bytes);
    expect(start?.event === 'start' && start.transport === 'stdio' && start.environment.telemetry).toContain(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    );
    expect(token).toHaveLength(32);
    expect(readFileSync(join(taps.recordings, name), 'utf8')).not.toContain(token);
  });

  test('gives the server no variable for telemetry without --otel', async () => {
    const { stdout } = await finished(taps.start([], ['env']));
    expect(text(stdout)).not.toContain('OTEL_');
  });

  test('passes stderr and the exit code', async () => {
    const { stdout, stderr, code } = await finished(taps.start([], ['sh', '-c', 'echo no key >&2; exit 7']));
    expect([stdout.length, stderr, code]).toEqual([0, 'no key\n', 7]);
  });

  // The thread of a recording takes half of the time that a tap needs to start.
  test.each([['SIGTERM', '--record', 'off'], ['SIGKILL'], ['SIGABRT', '--record', 'off']] as const)(
    'ends as the server does: by %s',
    async (signal, ...options) => {
      const { signal: ended } = await finished(taps.start(options, ['sh', '-c', `kill -${signal.slice(3)} $$`]));
      expect(ended).toBe(signal);
    },
  );

  test.each([
    ['SIGTERM', '--record', 'off'],
    ['SIGINT', '--record', 'off'],
    ['SIGHUP'],
    ['SIGUSR2', '--record', 'off'],
  ] as const)('passes %s to the server', async (signal, ...options) => {
    const tap = taps.start(
      options,
      script(`process.on("${signal}",()=>{console.log("got");process.exit(9)});
      setInterval(()=>{},1000);console.log("up")`),
    );
    const all = finished(tap);
    await once(tap.stdout, 'readable');
    tap.kill(signal);
    const { code, stdout } = await all;
    expect(code).toBe(9);
    expect(text(stdout)).toContain('got');
  });

  test('passes the end of stdout on before the server exits', async () => {
    const tap = taps.start([], ['sh', '-c', 'echo last; exec 1>&-; read line; exit 4']);
    tap.stdout.resume();
    await once(tap.stdout, 'end');
    expect(tap.exitCode).toBeNull();
    tap.stdin.end('go\n');
    expect((await once(tap, 'exit'))[0]).toBe(4);
  });

  test('passes the end of stdin on, and then the rest of the output', async () => {
    const tap = taps.start([], script('process.stdin.resume().on("end",()=>console.log("bye"))'));
    const all = finished(tap);
    tap.stdin.end();
    expect(text((await all).stdout)).toBe('bye\n');
  });

  test('refuses bytes once the server has closed its stdin', async () => {
    const tap = taps.start([], ['sh', '-c', 'exec 0<&-; sleep 30']);
    running.push(tap.pid!);
    const refused = once(tap.stdin, 'error');
    const write = setInterval(() => tap.stdin.write('x\n'), 5);
    const [error] = (await refused) as [NodeJS.ErrnoException];
    clearInterval(write);
    expect(error.code).toBe('EPIPE');
    tap.kill('SIGTERM');
    await once(tap, 'exit');
  });

  test('ends the server’s output once the host reads no more', async () => {
    const tap = taps.start(
      [],
      script('setInterval(()=>console.log("x"),5);process.stdout.on("error",()=>process.exit(6))'),
    );
    await once(tap.stdout, 'data');
    tap.stdout.destroy();
    expect((await once(tap, 'exit'))[0]).toBe(6);
  });

  test('starts a command that does not exist like a shell', async () => {
    const { code, stderr } = await finished(taps.start([], ['no-such-program-anywhere']));
    expect(code).toBe(127);
    expect(stderr).toContain('was not found');
  });

  test.skipIf(process.platform !== 'linux')('waits for a host that does not read, without filling memory', async () => {
    const tap = taps.start(
      ['--record', 'off'],
      script(
        'const b=Buffer.alloc(65536,"x");const w=()=>{while(process.stdout.write(b));process.stdout.once("drain",w)};w()',
      ),
    );
    running.push(tap.pid!);
    await once(tap.stdout, 'data');
    const before = memoryOf(tap.pid!);
    tap.stdout.pause();
    await vi.waitFor(async () => {
      const bytes = tap.stdout.readableLength;
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(tap.stdout.readableLength).toBe(bytes);
    });
    expect(memoryOf(tap.pid!) - before).toBeLessThan(16 * 1024 * 1024);
    tap.kill('SIGTERM');
    tap.stdout.resume();
    await once(tap, 'exit');
  });

  test.each([[], ['--record', 'off']])(
    'passes every byte between sides that read by fits and starts %s',
    async (...options) => {
      const sent = randomBytes(PASSED_BYTES / 4);
      // The server reads, and then waits a little.
      const server = script(
        'process.stdin.on("data",(c)=>{process.stdin.pause();process.stdout.write(c,()=>setTimeout(()=>process.stdin.resume(),1))})',
      );
      const tap = taps.start(options, server);
      const all = finished(tap);
      tap.stdout.on('data', () => {
        tap.stdout.pause();
        setTimeout(() => tap.stdout.resume(), 1);
      });
      for (let at = 0; at < sent.length; ) {
        const size = 1 + ((at * 7919) % (PASSED_BYTES / 53));
        if (!tap.stdin.write(sent.subarray(at, at + size))) await once(tap.stdin, 'drain');
        at += size;
      }
      tap.stdin.end();
      expect(sha256((await all).stdout)).toBe(sha256(sent));
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'keeps what the host reads only long after the exit of the server',
    async () => {
      // More than the pipe to the host and the tap take, and less than the pipe to the tap takes, too.
      const bytes = 340_000;
      const tap = taps.start(['--record', 'off'], ['sh', '-c', `head -c ${bytes} /dev/zero; echo written >&2`]);
      await once(tap.stderr, 'data');
      // Only a pause shows that the tap waits: longer than that for a process that the server left behind.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const { stdout, code } = await finished(tap);
      expect([stdout.length, code]).toEqual([bytes, 0]);
    },
  );

  test.skipIf(process.platform !== 'linux')('SIGKILL of a tap ends exactly its own server', async () => {
    const [seconds, others] = [`30${process.pid}.25`, `30${process.pid}.75`];
    const tap = taps.start([], ['sh', '-c', `echo up; sleep ${seconds}`]);
    const other = taps.start([], ['sh', '-c', `echo up; sleep ${others}`]);
    running.push(other.pid!);
    await Promise.all([once(tap.stdout, 'data'), once(other.stdout, 'data')]);
    await vi.waitFor(() => expect(processesWith(`sleep\0${seconds}`)).toHaveLength(1));
    tap.kill('SIGKILL');
    await vi.waitFor(() => expect(processesWith(seconds)).toEqual([]), 10_000);
    expect(processesWith(others).length).toBeGreaterThan(0);
    other.kill('SIGTERM');
    await vi.waitFor(() => expect(processesWith(others)).toEqual([]), 10_000);
  });

  test.skipIf(process.platform !== 'linux')('SIGKILL of the host leaves neither tap nor server', async () => {
    const seconds = `31${process.pid}`;
    const program =
      'require("node:child_process").spawn(process.argv[1],process.argv.slice(2)).stdout.pipe(process.stdout)';
    const server = ['sh', '-c', `echo up; cat >/dev/null; : ${seconds}`];
    const host = taps.start([], server, `exec "${process.execPath}" -e '${program}' -- "$@"`);
    await once(host.stdout, 'data');
    expect(processesWith(seconds).length).toBeGreaterThan(2);
    host.kill('SIGKILL');
    await vi.waitFor(() => expect(processesWith(seconds)).toEqual([]), 10_000);
  });
});

describe.skipIf(process.platform === 'win32')('its recording', { timeout: 60_000 }, () => {
  const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
  const answer = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}';
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}';

  let one: TestTaps;
  afterEach(() => one.remove());

  const fresh = async () => {
    one = await testTaps();
    return one;
  };

  test('has every line, who started it, the handshake and the exit, and no secret', async () => {
    const { start, read, names } = await fresh();
    const server = script(`require("node:readline").createInterface({input:process.stdin}).on("line",(l)=>{
      if(l.includes("initialize"))console.log(${JSON.stringify(answer)});console.error("key",process.argv.slice(1).join())})`);
    const tap = start(
      ['--host', 'claude-desktop', '--name', 'files'],
      [...server, '--', '--api-key', 'sk-live-0123456789abcdefghij'],
    );
    const all = finished(tap);
    tap.stdin.end(`${initialize}\nnot json\n{"half"`);
    const { stderr } = await all;
    expect(stderr).toContain('sk-live-0123456789abcdefghij');
    expect(names()).toHaveLength(1);
    const { frames, reader } = read();
    expect(reader.header).toMatchObject({ mode: 'tap', name: 'files', transport: 'stdio' });
    const events = frames.filter(({ channel }) => channel === 'lifecycle').map(({ bytes }) => lifecycleEventOf(bytes));
    expect(events).toMatchObject([
      { event: 'start', command: process.execPath, tap: { host: 'claude-desktop', part: 1 } },
      { event: 'spawned' },
      { event: 'open', era: 'legacy', version: '2025-11-25' },
      { event: 'closing', reason: 'host' },
      { event: 'exit', code: 0 },
      { event: 'closed' },
    ]);
    const sent = frames.filter(({ channel, direction }) => channel === 'protocol' && direction === 'to-server');
    expect(sent.map(({ bytes, flags }) => [text(bytes), flags])).toEqual([
      [initialize, 0],
      ['not json', 0],
      ['{"half"', 1],
    ]);
    expect(JSON.stringify(frames.map(({ bytes }) => text(bytes)))).not.toContain('sk-live-0123456789abcdefghij');
    expect(reader.finish()).toMatchObject({ complete: true });
  });

  test.each([
    ['the host closes stdin', 'process.stdin.resume()', 'stdin', ['closing', 'exit', 'closed']],
    ['the host sends SIGINT', 'process.on("SIGINT",()=>process.exit())', 'SIGINT', ['closing', 'exit', 'closed']],
    ['the host sends SIGTERM', 'setInterval(()=>{},1000)', 'SIGTERM', ['closing', 'exit', 'closed']],
    ['the server ends by itself', 'process.once("SIGUSR1",()=>process.exit())', 'SIGUSR1', ['exit', 'closed']],
    ['the server fails', 'process.once("SIGUSR2",()=>process.exit(3))', 'SIGUSR2', ['exit', 'failed']],
  ] as const)('says who ended the session: %s', async (_, ending, how, names) => {
    const { start, read } = await fresh();
    const tap = start([], script(`process.stdin.resume();${ending};console.log("up")`));
    const all = finished(tap);
    await once(tap.stdout, 'readable');
    if (how === 'stdin') tap.stdin.end();
    else tap.kill(how);
    await all;
    const events = read().frames.filter(({ channel }) => channel === 'lifecycle');
    expect(events.slice(-names.length).map(({ bytes }) => lifecycleEventOf(bytes)?.event)).toEqual(names);
    expect(events.length).toBe(2 + names.length);
  });

  test.skipIf(process.platform !== 'linux')('keeps every line that was answered before a SIGKILL', async () => {
    const { start, read } = await fresh();
    const tap = start([], ['cat']);
    let seen = '';
    tap.stdout.on('data', (chunk: Buffer) => {
      seen += chunk;
    });
    for (let n = 0; n < 200; n++) tap.stdin.write(`{"jsonrpc":"2.0","method":"n","params":${n}}\n`);
    await vi.waitFor(() => expect(seen.split('\n')).toHaveLength(201));
    // The last line is on its way to the disk for a moment.
    await vi.waitFor(() => expect(read().frames.filter(({ channel }) => channel === 'protocol')).toHaveLength(400));
    tap.kill('SIGKILL');
    await once(tap, 'exit');
    const { frames, reader } = read();
    expect(frames.filter(({ direction, channel }) => channel === 'protocol' && direction === 'to-client')).toHaveLength(
      200,
    );
    expect(reader.finish()).toMatchObject({ ended: false, missing: 0, damaged: { count: 0 } });
  });

  test('begins another file when one is large, which repeats the handshake', async () => {
    const { start, read, names } = await fresh();
    const tap = start(['--rotate', 'size=2KB'], ['sh', '-c', `read a; echo '${answer}'; cat`]);
    const all = finished(tap);
    tap.stdin.write(`${initialize}\n`);
    await once(tap.stdout, 'data');
    const line = `{"jsonrpc":"2.0","method":"n","params":"${'x'.repeat(900)}"}\n`;
    tap.stdin.end(`${call}\n${line.repeat(4)}`);
    await all;
    const parts = names().map((name) => read(name));
    expect(parts.length).toBeGreaterThan(2);
    const sessions = new Set<string>();
    const numbers = parts.map(({ frames, reader }) => {
      expect(reader.finish()).toMatchObject({ complete: true });
      const start = lifecycleEventOf(frames[0]!.bytes);
      if (start?.event !== 'start' || start.transport !== 'stdio' || !start.tap) throw new Error('no start');
      sessions.add(start.tap.session);
      const begin = frames.slice(1, 5).map(({ bytes }) => text(bytes));
      expect(begin.some((each) => each === initialize) && begin.some((each) => each === answer)).toBe(true);
      expect(start.tap.repeated).toBe(start.tap.part === 1 ? undefined : 4);
      return start.tap.part;
    });
    expect(sessions.size).toBe(1);
    expect(numbers.sort((a, b) => a - b)).toEqual(parts.map((_, at) => at + 1));
    const all4 = parts.flatMap(({ frames }) => frames).filter(({ bytes }) => text(bytes) === line.trim());
    expect(all4).toHaveLength(8);
  });

  test('that can’t be written is reported once, and the session goes on', async () => {
    const { start, recordings } = await fresh();
    writeFileSync(join(recordings, '..'), 'a file');
    const tap = start([], ['cat']);
    const all = finished(tap);
    tap.stdin.write('{"a":1}\n');
    await once(tap.stdout, 'data');
    tap.stdin.end('{"b":2}\n');
    const { code, stderr } = await all;
    expect(code).toBe(0);
    expect(stderr).toMatch(/^mcp-inspect: This connection is not recorded: .+\n$/);
  });

  test('that outgrows the disk is reported once, and the session goes on', async () => {
    const { start, read } = await fresh();
    const tap = start([], ['cat'], `trap '' XFSZ; ulimit -f 8; "$@"`);
    let seen = 0;
    tap.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.length;
    });
    let stderr = '';
    tap.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    const line = `{"jsonrpc":"2.0","method":"n","params":"${'x'.repeat(400)}"}\n`;
    for (let n = 0; n < 100; n++) tap.stdin.write(line);
    await vi.waitFor(() => expect(stderr).not.toBe(''));
    tap.stdin.end(line.repeat(10));
    const [code] = await once(tap, 'exit');
    expect(code).toBe(0);
    expect(seen).toBe(110 * line.length);
    expect(stderr).toMatch(
      /^mcp-inspect: The recording `.+` is incomplete: the file has reached its maximum size\..*\n$/,
    );
    expect(read().frames.length).toBeGreaterThan(3);
  });
});
