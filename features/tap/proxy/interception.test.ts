import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lifecycleEventOf } from '@/lib/recording/lifecycle-event';
import type { InterceptRule } from '@/lib/wire/intercept';
import { runningTaps } from './find-taps';
import { TapRules } from './tap-rules';
import { TapWatch } from './tap-watch';
import { finished, sha256, type TestTaps, testTaps } from './test-tap';

const script = (text: string): readonly string[] => [process.execPath, '-e', text];
const call = (id: number, more = '') =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"a"${more}}}`;
/** Messages that pass while rules come and go. */
const MESSAGES = process.env.TEST_LONG ? 100_000 : 10_000;
const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const holdCalls: InterceptRule = {
  name: 'calls',
  direction: 'to-server',
  when: 'method:tools/call',
  action: { do: 'hold' },
};

describe.skipIf(process.platform === 'win32')('rules in a tap', { timeout: 60_000 }, () => {
  let taps: TestTaps;
  const running: ChildProcessWithoutNullStreams[] = [];
  const pages: TapRules[] = [];
  beforeEach(async () => {
    taps = await testTaps();
  });
  afterEach(() => {
    for (const page of pages.splice(0)) page.close();
    for (const child of running.splice(0)) child.kill('SIGKILL');
    taps.remove();
  });

  /** Starts a tap, and collects the lines that the host gets. */
  const start = async (command: readonly string[], options: readonly string[] = []) => {
    const tap = taps.start(options, command);
    running.push(tap);
    let text = '';
    tap.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    return { tap, got: () => text.split('\n').slice(0, -1), rest: () => text.split('\n').at(-1) };
  };
  /** Returns the way of a page to the rules of a tap. */
  const page = async (): Promise<TapRules> => {
    await vi.waitFor(() => expect(runningTaps(taps.recordings)).toHaveLength(1), 10_000);
    const rules = new TapRules(taps.recordings, runningTaps(taps.recordings)[0]!);
    pages.push(rules);
    return rules;
  };
  const frames = () => taps.read().frames;
  const events = () =>
    frames().flatMap(({ channel, bytes }) => {
      const event = channel === 'lifecycle' ? lifecycleEventOf(bytes) : undefined;
      return event ? [event] : [];
    });
  const held = () => events().filter(({ event }) => event === 'held').length;
  /** The frames on both channels of messages, and the events of interception, in their order. */
  const story = () =>
    frames().flatMap(({ channel, direction, bytes }) => {
      const text = Buffer.from(bytes).toString();
      if (channel !== 'lifecycle') return [`${channel} ${direction} ${text}`];
      const event = lifecycleEventOf(bytes);
      if (event?.event === 'rules') return [`rules ${event.rules.map(({ name }) => name)}`];
      if (event?.event === 'held') return [`held ${event.hold} ${event.id}`];
      if (event?.event === 'intercepted') return [`${event.did} ${event.hold} ${event.why ?? ''}`];
      return [];
    });

  test('events have the time at which they happen, not that of the message before', async () => {
    const { tap, got } = await start(['cat']);
    tap.stdin.write(`${ping(1)}\n`);
    await vi.waitFor(() => expect(got()).toHaveLength(1), 10_000);
    const rules = await page();
    await rules.setRules({}, [holdCalls]);
    const all = finished(tap);
    tap.stdin.end();
    await all;
    const last = frames().findLast(({ channel }) => channel === 'protocol')!;
    const event = frames().find(({ bytes }) => lifecycleEventOf(bytes)?.event === 'rules')!;
    // An event with the time of the message before would have exactly that time.
    expect(event.time).toBeGreaterThan(last.time);
  });

  test('hold messages until a page decides, while others pass', async () => {
    const { tap, got } = await start(['cat']);
    const [rules, me] = [await page(), {}];
    await rules.setRules(me, [holdCalls]);
    tap.stdin.write(`${call(1)}\n${ping(2)}\r\n${call(3)}\n`);
    await vi.waitFor(() => expect(held()).toBe(2));
    await vi.waitFor(() => expect(got()).toEqual([`${ping(2)}\r`]));
    expect(String(await rules.readHeld(1))).toBe(call(1));
    await rules.decide(2, { do: 'release' });
    await rules.decide(1, { do: 'release', text: call(1, ',"changed":true') });
    await expect(rules.decide(1, { do: 'release' })).rejects.toMatchObject({ code: 'not-held' });
    await vi.waitFor(() => expect(got()).toEqual([`${ping(2)}\r`, call(3), call(1, ',"changed":true')]));
    const all = finished(tap);
    tap.stdin.end();
    await all;
    const changed = call(1, ',"changed":true');
    const [to, back] = ['protocol to-server', 'protocol to-client'];
    const inward = story().filter((line) => !line.startsWith(back));
    expect(inward).toEqual([
      'rules calls',
      'held 1 1',
      `${to} ${ping(2)}\r`,
      'held 2 3',
      'release 2 ',
      `${to} ${call(3)}`,
      'replace 1 ',
      `intercept to-server ${call(1)}`,
      `${to} ${changed}`,
    ]);
    expect(story().filter((line) => line.startsWith(back))).toEqual(
      [`${ping(2)}\r`, call(3), changed].map((line) => `${back} ${line}`),
    );
  });

  test('of a page whose process is killed are gone, and what they held passes', async () => {
    const { tap, got } = await start(['cat']);
    await page();
    const one = taps.startPage([holdCalls]);
    running.push(one);
    await once(one.stdout, 'data');
    tap.stdin.write(`${call(1)}\n${ping(2)}\n`);
    await vi.waitFor(() => expect(got()).toEqual([ping(2)]));
    one.kill('SIGKILL');
    await vi.waitFor(() => expect(got()).toEqual([ping(2), call(1)]));
    tap.stdin.write(`${call(3)}\n`);
    await vi.waitFor(() => expect(got()).toHaveLength(3));
    await vi.waitFor(() => expect(events().at(-1)).toMatchObject({ event: 'intercepted', why: 'owner-gone' }));
    expect(events().filter(({ event }) => event === 'rules')).toMatchObject([
      { rules: [{ name: 'calls' }] },
      { rules: [] },
    ]);
  });

  test('release what is held before the end of stdin passes', async () => {
    const { tap } = await start(
      script('process.stdin.on("data",(c)=>process.stdout.write(c)).on("end",()=>console.log("end"))'),
    );
    const [rules, me] = [await page(), {}];
    await rules.setRules(me, [holdCalls]);
    tap.stdin.write(`${call(1)}\n`);
    await vi.waitFor(() => expect(held()).toBe(1));
    const all = finished(tap);
    tap.stdin.end(`${ping(2)}\n{"half`);
    expect(String((await all).stdout)).toBe(`${ping(2)}\n${call(1)}\n{"halfend\n`);
    const order = story();
    const released = order.indexOf('release 1 ');
    expect(order[released + 1]).toBe(`protocol to-server ${call(1)}`);
    expect(order.indexOf('protocol to-server {"half')).toBeGreaterThan(released);
  });

  test('release what is held to the host when the server exits, and then end', async () => {
    const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const { tap } = await start(['sh', '-c', `read a; echo '${answer}'; read b; exit 3`]);
    const [rules, me] = [await page(), {}];
    await rules.setRules(me, [{ name: 'all', direction: 'to-client', action: { do: 'hold' } }]);
    tap.stdin.write(`${ping(1)}\n`);
    await vi.waitFor(() => expect(held()).toBe(1));
    const all = finished(tap);
    tap.stdin.write(`${ping(2)}\n`);
    const { code, stdout } = await all;
    expect([code, String(stdout)]).toEqual([3, `${answer}\n`]);
  });

  test(`come and go under ${MESSAGES} messages, and no byte is lost`, async () => {
    const { tap } = await start(['cat']);
    const all = finished(tap);
    const [rules, me] = [await page(), {}];
    const parts: Buffer[] = [];
    for (let n = 0; n < MESSAGES; n++) {
      const end = n % 7 === 0 ? '\r\n' : '\n';
      parts.push(Buffer.from(`{"jsonrpc":"2.0","method":"n${n}","params":"${'x'.repeat(n % 97)}"}${end}`));
    }
    parts.push(Buffer.from('{"half'));
    const sent = Buffer.concat(parts);
    const piece = Math.floor(MESSAGES / 3);
    let toggles = 0;
    let toggled = Promise.resolve();
    for (let at = 0; at < sent.length; at += piece) {
      // The rules change while messages pass, and as often on a fast machine as on a slow one.
      if (at % (5 * piece) === 0) {
        await toggled;
        toggled = rules.setRules(me, toggles++ % 2 === 0 ? [holdCalls] : []);
      }
      if (!tap.stdin.write(sent.subarray(at, at + piece))) await once(tap.stdin, 'drain');
    }
    await toggled;
    tap.stdin.end();
    expect(sha256((await all).stdout)).toBe(sha256(sent));
    expect(toggles).toBeGreaterThan(20);
    const recorded = frames().filter(({ channel }) => channel === 'protocol');
    for (const direction of ['to-server', 'to-client']) {
      const bytes = recorded.filter((frame) => frame.direction === direction).map((frame) => Buffer.from(frame.bytes));
      expect(sha256(Buffer.concat(bytes.flatMap((each) => [each, Buffer.from('\n')])))).toBe(
        sha256(Buffer.concat([sent, Buffer.from('\n')])),
      );
    }
  });

  test('let a message of more than 4 MiB pass, and say so', async () => {
    const { tap, got } = await start(['cat']);
    const [rules, me] = [await page(), {}];
    await rules.setRules(me, [{ ...holdCalls, direction: 'to-server' }]);
    const long = call(1, `,"x":"${'y'.repeat(5 * 1024 * 1024)}"`);
    tap.stdin.write(`${long}\n${call(2)}\n`);
    await vi.waitFor(() => expect(held()).toBe(1), 10_000);
    await vi.waitFor(() => expect(got().map((line) => line === long)).toEqual([true]));
    expect(events()).toContainEqual(expect.objectContaining({ event: 'intercepted', did: 'pass', why: 'too-large' }));
  });

  test('of a tap that was killed leave no socket behind', async () => {
    const { tap } = await start(['cat']);
    const [rules, me] = [await page(), {}];
    await rules.setRules(me, [holdCalls]);
    tap.kill('SIGKILL');
    await once(tap, 'exit');
    await expect(rules.setRules(me, [holdCalls])).rejects.toMatchObject({ code: 'no-tap' });
    expect(readdirSync(join(taps.home, 'taps'))).toHaveLength(2);
    const watch = new TapWatch(taps.recordings, () => {});
    watch.start();
    watch.stop();
    expect(readdirSync(join(taps.home, 'taps'))).toEqual([]);
  });

  test('need a recording: a tap without one has no socket', async () => {
    const { tap, got } = await start(['cat'], ['--record', 'off']);
    tap.stdin.write('a\n');
    await vi.waitFor(() => expect(got()).toEqual(['a']));
    tap.stdin.end();
    await once(tap, 'exit');
    expect(existsSync(join(taps.home, 'taps'))).toBe(false);
  });

  describe('from a file', () => {
    const fileOf = (rules: unknown): string => {
      const file = join(taps.home, '../faults.json');
      writeFileSync(file, typeof rules === 'string' ? rules : JSON.stringify({ rules }));
      return file;
    };

    test('are in force from the first message on', async () => {
      const calls = { direction: 'to-server', when: 'method:tools/call' };
      const file = fileOf([
        { name: 'slow', ...calls, every: 3, action: { do: 'delay', ms: 300 } },
        { name: 'fails', ...calls, after: 2, times: 1, action: { do: 'error', code: -32603, message: 'Broken.' } },
      ]);
      const { tap, got } = await start(['cat'], ['--intercept', file]);
      tap.stdin.write([1, 2, 3, 4, 5].map((id) => `${call(id)}\n`).join(''));
      await vi.waitFor(() => expect(got()).toHaveLength(5));
      const error = '{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"Broken."}}';
      const lines = got().map((line) => (line === error ? 'error' : JSON.parse(line).id));
      expect(lines.indexOf(3)).toBe(4);
      expect([...lines].sort()).toEqual([1, 2, 3, 5, 'error']);
      await vi.waitFor(() =>
        expect(events()).toContainEqual(expect.objectContaining({ event: 'intercepted', did: 'delay' })),
      );
      expect(events()).toContainEqual(
        expect.objectContaining({
          event: 'rules',
          rules: expect.arrayContaining([expect.objectContaining({ name: 'slow', file: 'faults.json' })]),
        }),
      );
    });

    test('cut a stream', async () => {
      const file = fileOf([
        { name: 'cut', when: 'method:tools/call', direction: 'to-server', after: 1, action: { do: 'cut' } },
      ]);
      const { tap } = await start(['cat'], ['--intercept', file]);
      tap.stdin.on('error', () => {});
      const all = finished(tap);
      tap.stdin.write(`${call(1)}\n${call(2)}\n${call(3)}\n`);
      const { stdout, code } = await all;
      expect([String(stdout), code]).toEqual([`${call(1)}\n`, 0]);
    });

    test('answer from a recording', async () => {
      const answer = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"recorded"}]}}';
      const first = await start(['sh', '-c', `read a; echo '${answer}'; cat`]);
      const all = finished(first.tap);
      first.tap.stdin.end(`${call(1)}\n`);
      await all;
      const action = { do: 'answer-from', file: `home/recordings/${taps.names()[0]}` };
      const file = fileOf([{ name: 'recorded', when: 'method:tools/call', action }]);
      const { tap, got } = await start(['cat'], ['--intercept', file, '--record', 'off']);
      tap.stdin.write(`${call(7)}\n${ping(8)}\n`);
      await vi.waitFor(() => expect(got()).toEqual([answer.replace('"id":1', '"id":7'), ping(8)]));
    });

    test.each([
      ['{"rules":', /faults\.json/],
      ['{"rules":[{"name":"x","action":{"do":"explode"}}]}', /rules\[0\]/],
      ['{"rules":[{"name":"x","when":"took:>3s","action":{"do":"drop"}}]}', /took/],
    ])('are refused before the server starts if they are invalid: %s', async (text, sentence) => {
      const mark = join(taps.home, 'started');
      const { code, stderr, stdout } = await finished(taps.start(['--intercept', fileOf(text)], ['touch', mark]));
      expect([code, stdout.length]).toEqual([2, 0]);
      expect(stderr).toMatch(/^mcp-inspect: [^\n]+\n$/);
      expect(stderr).toMatch(sentence);
      expect(existsSync(mark)).toBe(false);
    });

    test('are refused if the file does not exist', async () => {
      const { code, stderr } = await finished(taps.start(['--intercept', '/nowhere.json'], ['true']));
      expect([code, stderr]).toEqual([
        2,
        'mcp-inspect: Could not read `/nowhere.json`. It does not exist. The server was not started.\n',
      ]);
    });
  });
});
