import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { EXIT, type ExitCode } from '@/proxy/cli/exit-code';
import { testAgainst } from '@/proxy/commands/headless/test-against';
import { requestOf } from '@/proxy/commands/test-command-line';
import { requireShape } from '@/proxy/commands/test-output-shape';
import { minimise } from './minimise';
import { FAULTY, type FaultySession, recordSession, SESSIONS } from './test-sessions';

/** Set to measure with all sessions, each start of the server a process: it takes some minutes. */
const LONG = process.env.TEST_LONG !== undefined;

vi.mock('@/proxy/process/spawn', async (original) => {
  const real = await original<typeof import('@/proxy/process/spawn')>();
  const { innerSpawn } = await import('@/proxy/process/test-inner-servers');
  const { runMinimised } = await import('./fixtures/minimised.mjs');
  const spawnServer = innerSpawn(real.spawnServer, 'minimise-server.mjs', runMinimised, () => LONG);
  return { ...real, spawnServer };
});

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-minimise-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Messages of a session after the handshake. */
const MESSAGES = LONG ? 900 : 16;
/** Seconds without a response that are a failure. */
const TIMEOUT = LONG ? '2' : '1';
/** Milliseconds for one session. */
const MOST_MS = 60_000;

const measured = LONG ? SESSIONS : SESSIONS.filter(({ always }) => always);

interface Ran {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly notes: readonly string[];
  readonly status: readonly string[];
}

/** Runs the subcommand. `interruptAt`: Ctrl-C once the status begins with this. */
async function run(argv: readonly string[], server: readonly string[], interruptAt?: RegExp): Promise<Ran> {
  const [stdout, notes, status] = [[], [], []] as string[][];
  let interrupt = (): boolean => false;
  const code = await minimise(
    {
      request: requestOf('test', '--minimise', ...argv, '--', process.execPath, FAULTY, ...server),
      version: '1',
      home: '',
      printText: (text) => stdout!.push(text),
      printLines: () => {},
      printNote: (text) => notes!.push(text),
      status: {
        show: (text) => {
          status!.push(text);
          if (interruptAt?.test(text)) interrupt();
        },
        end: () => {},
      },
    },
    (_, onInterrupt) => {
      interrupt = onInterrupt ?? interrupt;
    },
  );
  return { code, stdout: stdout!.join('\n'), notes: notes!, status: status! };
}

let files = 0;

async function recorded(session: FaultySession, length = MESSAGES): Promise<{ file: string; out: string }> {
  const name = join(folder, `session-${++files}`);
  await recordSession(`${name}.mcpr.jsonl`, session, length);
  return { file: `${name}.mcpr.jsonl`, out: `${name}.min` };
}

const UUID = /[\da-f]{8}-[\da-f-]{27}/g;

describe('finds the fewest messages and the smallest arguments', () => {
  test.each(measured)('$name', { timeout: 4 * MOST_MS }, async (session) => {
    const { file, out } = await recorded(session);
    const begun = performance.now();
    // More servers at a time, because most of them wait.
    const timeout = session.hangs ? ['--fail-on', `silence=${TIMEOUT}`, '--jobs', '8'] : [];
    const argv = [file, '--out', out, ...timeout, ...(session.options ?? [])];
    const { stdout, notes, code } = await run(argv, [session.fault]);
    const ms = performance.now() - begun;
    if (LONG)
      console.log(
        `${session.name}: ${(ms / 1000).toFixed(1)} s, load ${loadavg()[0]!.toFixed(1)}, ${stdout.split('\n')[0]}`,
      );
    const [first, ...cases] = stdout.split('\n');
    // A list may be read before or after a call that has nothing to do with it.
    const left = cases.map((one) => one.replace(/^\d+\. /, '').replace(UUID, 'ID')).sort();
    expect(left, notes.join('\n')).toEqual(session.left.toSorted());
    expect(first).toMatch(/^\d+ of \d+ messages? still fails? \(\d+ starts of the server\)\.$/);
    expect(code).toBe(EXIT.fine);
    if (LONG) expect(ms).toBeLessThan(MOST_MS);
  });
});

const [ORDER] = SESSIONS.filter(({ name }) => name === 'two calls in order') as [FaultySession];

test('writes a recording, a pins file and a bug report', { timeout: 4 * MOST_MS }, async () => {
  const { file, out } = await recorded(ORDER);
  const { notes, stdout } = await run([file, '--out', out, '--json'], [ORDER.fault]);
  requireShape('minimise', stdout);
  const found = JSON.parse(stdout);
  const calls = [
    { name: 'mode', arguments: { to: 'dark' } },
    { name: 'render', arguments: {} },
  ];
  expect(found).toMatchObject({
    left: 2,
    of: MESSAGES,
    interrupted: false,
    failure: 'the tool error “no dark colours”',
    messages: calls.map((params) => ({ kind: 'request', method: 'tools/call', params })),
  });
  expect(JSON.parse(readFileSync(`${out}.pins.json`, 'utf8'))).toEqual({
    pins: 1,
    calls: calls.map(({ name, arguments: args }) => ({ tool: name, arguments: args })),
  });
  expect(readFileSync(`${out}.md`, 'utf8')).toContain('# `faulty`: `tools/call render`');
  expect(notes.filter((note) => note.includes('Wrote'))).toHaveLength(3);
  // The recording can be verified like any other: the fault is still there.
  const again = await testAgainst(
    { transport: 'stdio', command: process.execPath, args: [FAULTY, ORDER.fault] },
    `${out}.mcpr.jsonl`,
  );
  expect(again.code).toBe(EXIT.fine);
  expect(again.stdout.join()).toContain('2 calls got the same response');
  // Its own recording is as small as it gets.
  const twice = await run([`${out}.mcpr.jsonl`, '--out', `${out}-2`], [ORDER.fault]);
  expect(twice.stdout).toContain('2 of 2 messages still fail');
});

test('says that a failure is flaky, or does not happen', { timeout: MOST_MS }, async () => {
  const { file, out } = await recorded({ ...ORDER, fault: 'flaky' });
  const marker = join(folder, 'flaky');
  const argv = [file, '--out', out, '--jobs', '1', '--fail-on', 'text=bad luck'];
  await expect(run(argv, ['flaky', marker])).rejects.toThrow('it happened in 1 of 3 starts of the server');
  await expect(run(argv, ['flaky', marker])).rejects.toThrow('did not happen in 3 starts of the server');
  expect(existsSync(`${out}.mcpr.jsonl`)).toBe(false);
});

test('keeps the best so far on Ctrl-C', { timeout: MOST_MS }, async () => {
  const { file, out } = await recorded(ORDER);
  const { code, notes } = await run([file, '--out', out], [ORDER.fault], /^\d+ messages left/);
  expect(code).toBe(EXIT.interrupted);
  expect(notes.at(-1)).toBe('mcp-inspect: Interrupted. These are the fewest messages so far.');
  expect(existsSync(`${out}.mcpr.jsonl`)).toBe(true);
});

test('refuses what it can’t minimise', async () => {
  const { file, out } = await recorded({ ...ORDER, fault: 'none' }, 20);
  await expect(run([file, '--out', out], ['none'])).rejects.toThrow('has no error, crash, timeout or problem');
  await expect(run([file, '--fail-on', 'exit', '--fail-on', 'text=x'], ['none'])).rejects.toThrow('name one failure');
  await expect(run([file, '--jobs', '0'], ['none'])).rejects.toThrow('is not a number from 1 to');
  await expect(run([file, '--fail-on', 'rule=output-mismatsch'], ['none'])).rejects.toThrow(
    'did you mean `output-mismatch`?',
  );
  await expect(run([join(folder, 'none.mcpr.jsonl'), '--fail-on', 'exit'], ['none'])).rejects.toThrow(
    'can’t be opened',
  );
  await expect(run([file, '--out', file.replace('.mcpr.jsonl', '')], ['none'])).rejects.toThrow('already exists');
});
