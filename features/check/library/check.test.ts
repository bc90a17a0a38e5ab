import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { CommandTarget, InspectOptions, Session, Target } from '@/proxy/library/api';
import { check, diff, InspectError, inspect, test as testServer } from '@/proxy/library/library';
import type { CheckOptions } from './check-types';

const ROOT = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

function node(script: string, ...args: string[]): CommandTarget {
  return { command: process.execPath, args: [join(ROOT, script), ...args] };
}

const DEMO = node('examples/demo-server/server.mjs');
const hostile = (...words: string[]) => node('proxy/connection/fixtures/hostile-server.mjs', ...words);

/** A pinned call without an accepted answer. */
const PINS = join(folder, 'echo.pins.json');
writeFileSync(
  PINS,
  JSON.stringify({
    pins: 1,
    calls: [{ name: 'echo', method: 'tools/call', params: { name: 'echo', arguments: { message: 'hi' } } }],
  }),
);

/** Records a session with the demo server. */
async function recorded(name: string): Promise<string> {
  const file = join(folder, `${name}.mcpr.jsonl`);
  const session = await inspect(DEMO);
  await session.record(file);
  await session.listTools();
  await session.call('echo', { message: 'hi' });
  await session.close();
  return file;
}

/** Runs a test with a session, which is closed after it. */
async function withSession(
  target: Target,
  options: InspectOptions,
  run: (session: Session) => Promise<void>,
): Promise<void> {
  const session = await inspect(target, options);
  try {
    await run(session);
  } finally {
    await session.close();
  }
}

/** Returns the error that a promise rejects with. */
async function errorOf(promise: Promise<unknown>): Promise<InspectError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InspectError);
  return error as InspectError;
}

test('check returns the report of `check --json`', async () => {
  const report = await check(node('proxy/commands/fixtures/faulty-server.mjs', 'legacy', 'tool-without-schema'), {
    protocol: '2025-11-25',
  });
  expect(report.summary).toMatchObject({ passed: false, failOn: 'error', sources: [{ tools: 2 }] });
  expect(report.problems).toContainEqual(expect.objectContaining({ rule: 'field-missing', severity: 'error' }));
  const accepted = await check(node('proxy/commands/fixtures/faulty-server.mjs', 'legacy', 'tool-without-schema'), {
    protocol: '2025-11-25',
    baseline: report,
    failOn: 'info',
  });
  expect(accepted.summary).toMatchObject({ passed: true, accepted: report.problems.length });
});

test('check reads the recording of a session', async () => {
  const file = await recorded('checked');
  const { summary } = await check({ recordings: [file] });
  expect(summary).toMatchObject({ passed: true, sources: [{ file, notes: [] }] });
});

test('check rates problems by the settings of the working directory, of a file or of the call', async () => {
  const recording = join(folder, 'rated.mcpr.jsonl');
  const faulty = node('proxy/commands/fixtures/faulty-server.mjs', 'legacy', 'tool-without-schema');
  await withSession(faulty, { protocol: '2025-11-25' }, async (session) => {
    await session.listTools();
    await session.record(recording);
  });
  const place = mkdtempSync(join(folder, 'project-'));
  const file = join(place, 'mcp-inspect.config.json');
  const rated = async (settings?: CheckOptions['settings']) => {
    const { summary, problems } = await check(
      { recordings: [recording] },
      { ...(settings !== undefined && { settings }) },
    );
    const severities = problems.filter(({ rule }) => rule === 'field-missing').map(({ severity }) => severity);
    return { failOn: summary.failOn, severities };
  };
  const usual = await rated(false);
  expect(usual).toEqual({ failOn: 'error', severities: ['error'] });
  vi.spyOn(process, 'cwd').mockReturnValue(place);
  expect(await rated()).toEqual(usual);
  writeFileSync(file, '{"rules":{"field-missing":"info"},"failOn":"info"}');
  expect(await rated()).toEqual({ failOn: 'info', severities: ['info'] });
  expect(await rated({ rules: { 'field-missing': 'off' } })).toEqual({ failOn: 'error', severities: [] });
  expect(await rated(false)).toEqual(usual);
  vi.restoreAllMocks();
  expect(await rated()).toEqual(usual);
  expect(await rated(file)).toEqual({ failOn: 'info', severities: ['info'] });
  expect(await errorOf(rated('/no/such.json'))).toMatchObject({ code: 'usage' });
  expect(await errorOf(rated({ rules: { 'field-mising': 'off' } }))).toMatchObject({
    code: 'usage',
    message: expect.stringContaining('did you mean `field-missing`'),
  });
});

test('check judges by the limits of the hosts in the settings', async () => {
  const recording = join(folder, 'hosts.mcpr.jsonl');
  await withSession(node('proxy/commands/fixtures/faulty-server.mjs', 'legacy', 'tools-many'), {}, async (session) => {
    await session.listTools();
    await session.record(recording);
  });
  const limits = async (hosts?: readonly string[]) => {
    const { problems } = await check({ recordings: [recording] }, { settings: { ...(hosts && { hosts }) } });
    return problems.filter(({ rule }) => rule === 'tool-count-host').map(({ message }) => message.split(' ')[2]);
  };
  expect(await limits()).toEqual(['VS', 'Cursor']);
  expect(await limits(['cursor', 'claude-code'])).toEqual(['Cursor']);
  expect(await limits(['vscode'])).toEqual(['VS']);
  expect(await limits([])).toEqual([]);
  expect(await errorOf(limits(['cursr']))).toMatchObject({ message: expect.stringContaining('did you mean `cursor`') });
});

test('check takes a budget, pins, the path of a baseline, and records each session', async () => {
  const [record, known] = [join(folder, 'budgeted.mcpr.jsonl'), join(folder, 'known.json')];
  const options = { protocol: '2025-11-25', budget: { tools: 0, result: '64KB' } } as const;
  const report = await check(DEMO, {
    ...options,
    pins: PINS,
    record,
    settings: { budget: { tools: 99, tokens: 9999 } },
  });
  expect(report.problems.map(({ rule }) => rule)).toContain('budget-tools');
  expect(report.summary.sources[0]?.steps.map(({ name }) => name)).toContain(`pins ${PINS}`);
  expect(existsSync(record)).toBe(true);
  writeFileSync(known, JSON.stringify(report));
  const again = await check(DEMO, { protocol: '2025-11-25', baseline: known, failOn: 'info' });
  expect(again.summary).toMatchObject({ baseline: { found: expect.any(Number) } });
  expect(await errorOf(check(DEMO, { baseline: '/no/such.json' }))).toMatchObject({
    message: '`/no/such.json` was not found. Check the path after `baseline`.',
  });
  expect(await errorOf(check(DEMO, { budget: { token: 5 } as never }))).toMatchObject({
    message: expect.stringMatching(/^The `budget` can’t be used: there is no budget `token`/),
  });
  for (const wrong of [{ pins: PINS }, { record }])
    expect(await errorOf(check({ recordings: [record] }, wrong))).toMatchObject({ code: 'usage' });
}, 30_000);

test('check reports a server that can’t be reached, and can be aborted', async () => {
  const { summary, problems } = await check({ command: 'no-such-program' });
  expect(summary).toMatchObject({ passed: false, errors: 1 });
  expect(problems).toMatchObject([{ rule: 'connection-failed' }]);
  const stop = new AbortController();
  const failed = errorOf(check(hostile('silent'), { signal: stop.signal }));
  stop.abort();
  expect(await failed).toMatchObject({ code: 'aborted' });
  expect(await errorOf(check(DEMO, { failOn: 'never' as 'error' }))).toMatchObject({ code: 'usage' });
  expect(await errorOf(check({ recordings: ['/no/such/file'] }))).toMatchObject({ code: 'usage' });
});

describe('errors', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['check', () => check('node server.js' as unknown as Target), 'The target must be an object'],
    ['check', () => check(DEMO, { protocol: 'none' as 'auto' }), '`check` needs the handshake'],
    ['check', () => check({ recordings: [] }), '`recordings` is empty'],
    ['check', () => check(DEMO, { settings: { extends: 'a.json' } as object }), '`extends` works only in a file'],
    [
      'check',
      () => check(DEMO, { fail: 'info' } as CheckOptions),
      'The option `fail` is unknown: did you mean `failOn`?',
    ],
    ['test', () => testServer(DEMO, { file: 'a' } as object), 'The option `file` is unknown: did you mean `files`?'],
    ['test', () => testServer(DEMO, { files: 'no-such.pins.json' }), '`no-such.pins.json` can’t be opened'],
    ['test', () => testServer(DEMO, { ignore: ['ordre'] }), 'Unknown `ignore` `ordre`: did you mean `order`?'],
    ['diff', () => diff(DEMO, DEMO, { protocol: 'none' as 'auto' }), '`diff` needs the handshake'],
    ['diff', () => diff(DEMO, DEMO, { failOn: 'braking' }), 'Unknown `failOn` `braking`: did you mean `breaking`?'],
    ['diff', () => diff(DEMO, 'a.mcpr.jsonl'), 'name the recording first'],
    ['diff', () => diff('a.mcpr.jsonl', DEMO, { capabilities: 'all' }), 'so `capabilities` has no effect: remove it'],
    [
      'diff',
      () => diff(DEMO, DEMO, { failon: 'x' } as object),
      'The option `failon` is unknown: did you mean `failOn`?',
    ],
  ])('of %s name unknown options', async (name, call, sentence) => {
    const error = await errorOf(call());
    expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(sentence) });
    expect(error.stack?.split('\n')[1]).toBe(`    at ${name} (mcp-inspect)`);
    expect(error.stack?.split('\n')[2]).toContain('check.test.ts');
  });
});

describe('test and diff', () => {
  test('test plays pins and recordings, and update accepts the answers', async () => {
    const pins = join(folder, 'own.pins.json');
    writeFileSync(pins, readFileSync(PINS));
    expect(await testServer(DEMO, { files: pins })).toMatchObject({
      passed: true,
      files: [{ file: pins, passed: true, calls: [{ name: 'echo', verdict: 'new' }] }],
    });
    await testServer(DEMO, { files: pins, update: true });
    expect((await testServer(DEMO, { files: pins })).files[0]?.calls[0]?.verdict).toBe('same');
    writeFileSync(pins, readFileSync(pins, 'utf8').replace('\\"hi\\"', '\\"ho\\"'));
    const { passed, files } = await testServer(DEMO, { files: [pins] });
    expect([passed, files[0]?.calls[0]?.verdict]).toEqual([false, 'changed']);
  });

  test('test repeats a recording, with the client that it has', async () => {
    const file = await recorded('repeated');
    const { passed, files } = await testServer(DEMO, { files: file });
    expect([passed, files[0]?.calls.map(({ call }) => call)]).toEqual([
      true,
      expect.arrayContaining(['tools/call echo']),
    ]);
    const refused = testServer(DEMO, { files: file, roots: [] });
    expect((await errorOf(refused)).message).toContain('so `roots` has no effect');
  });

  test('diff compares two servers, a recording and a server, and two recordings', async () => {
    const file = await recorded('compared');
    expect(await diff(DEMO, DEMO, { pins: PINS })).toMatchObject({ passed: true, calls: [{ verdict: 'same' }] });
    expect(await diff(file, DEMO)).toMatchObject({ equal: true, failures: [] });
    expect(await diff(file, file)).toMatchObject({ passed: true });
    const other = await diff(DEMO, node('examples/eval/tides-server.mjs'), { failOn: 'breaking' });
    expect(other.passed).toBe(false);
    expect(other.failures[0]).toMatch(/breaking change/);
  });

  test('reject for a server that does not start, and print nothing', async () => {
    const printed = vi.spyOn(process.stderr, 'write');
    const missing = { command: 'no-such-program' };
    const calls = [() => diff(missing, DEMO), () => diff(DEMO, missing), () => testServer(missing, { files: PINS })];
    for (const call of calls) expect((await errorOf(call())).code).toBe('command-not-found');
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });
});
