import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { runCommand } from '@/proxy/commands/test-command-line';
import { resolveLaunch } from '@/proxy/connection/launch';
import { hostileTarget } from '@/proxy/connection/test-hub';
import { SURVIVAL_STEPS } from './survival';
import { checkFaulty, checkLaunch, ERAS } from './test-check';
import { LIST_FAULTS, OF_ERA, SURVIVAL_FAULTS, seededFaults, TOGETHER_FAULTS } from './test-faults';

/** Milliseconds for a step that the server lets hang. It is asked again with four times that. */
const HANG_MS = 400;
/** Faults of the process or its pipes, not of its messages. A server without faults is one as well. */
const OF_PROCESS = ['leaks', 'flood', 'never-starts', 'exits-at-start'];

vi.mock('@/proxy/process/spawn', async (original) => {
  const real = await original<typeof import('@/proxy/process/spawn')>();
  const { innerSpawn } = await import('@/proxy/process/test-inner-servers');
  const { runFaulty } = await import('../../../../proxy/commands/fixtures/faulty.mjs');
  const needsProcess = ([, fault = 'leaks']: readonly string[]) => OF_PROCESS.includes(fault);
  return { ...real, spawnServer: innerSpawn(real.spawnServer, 'faulty-server.mjs', runFaulty, needsProcess) };
});

describe.each(['legacy', 'modern'] as const)('a %s server', (era) => {
  test('without faults has no problems, and its memory is reported', async () => {
    const { found, failure, sources } = await checkFaulty([era], ERAS[era]);
    expect(failure).toBeUndefined();
    expect(found).toEqual([]);
    expect(sources[0]!.facts).toMatchObject({
      era,
      version: ERAS[era],
      tools: 1,
      resources: 2,
      templates: 1,
      prompts: 2,
      ...(process.platform === 'linux' && { memory: { before: expect.any(Number), after: expect.any(Number) } }),
    });
  });

  test.each(Object.entries({ ...LIST_FAULTS, ...OF_ERA[era] }))('%s: %s', async (fault, rule) => {
    // Only a server that hangs needs a short limit. A flood takes long on a busy machine.
    const { rules } = await checkFaulty(
      [era, fault],
      ERAS[era],
      { stepMs: fault === 'list-hangs' ? HANG_MS : 15_000 },
      [],
    );
    expect(rules).toContain(rule);
  });

  test('with many faults at once has each in its report', async () => {
    const { rules } = await checkFaulty([era, ...Object.keys(TOGETHER_FAULTS)], ERAS[era], { stepMs: 15_000 }, []);
    expect(rules).toEqual(expect.arrayContaining(Object.values(TOGETHER_FAULTS)));
  });

  test('has at least 90 seeded faults', () => {
    const faults = seededFaults(era).map(({ fault }) => fault);
    expect(new Set(faults).size).toBe(faults.length);
    expect(faults.length).toBeGreaterThanOrEqual(90);
  });

  test.each(Object.entries(SURVIVAL_FAULTS))('%s: %s', async (fault, [rule, step]) => {
    const only = SURVIVAL_STEPS.filter(({ name }) => name === step);
    const limits = rule === 'no-answer' ? { stepMs: HANG_MS } : {};
    const { found } = await checkFaulty([era, fault], ERAS[era], limits, only);
    expect(found).toContainEqual(expect.objectContaining({ rule }));
    if (['server-lost', 'no-answer'].includes(rule)) expect(found[0]!.message).toContain(`During “${step}”`);
  });
});

test.each(['legacy', 'modern'] as const)('a %s server with pages: its cursors are checked', async (era) => {
  const only = SURVIVAL_STEPS.filter(({ name }) => name === 'a cursor that does not exist');
  const good = await checkFaulty([era, 'pages'], ERAS[era], {}, only);
  expect(good.found).toEqual([]);
  expect(good.sources[0]!.facts.tools).toBe(2);
  expect((await checkFaulty([era, 'pages', 'cursor-lenient'], ERAS[era], {}, only)).rules).toEqual([
    'unknown-cursor-accepted',
  ]);
});

test.each(['ping-fails', 'ping-result'])('%s: ping-failed', async (fault) => {
  expect((await checkFaulty(['legacy', fault], ERAS.legacy, {}, SURVIVAL_STEPS.slice(0, 1))).rules).toContain(
    'ping-failed',
  );
});

test('the time limit of the whole check names the step', async () => {
  const { found } = await checkFaulty(['legacy', 'list-hangs'], ERAS.legacy, { wholeMs: 1500, stepMs: 10_000 });
  expect(found.map(({ rule, message }) => [rule, message])).toEqual([
    ['check-timeout', 'During “list tools”: The check was ended after 1.5 s.'],
  ]);
});

test('a fault on purpose of mcp-inspect is not blamed on the server', async () => {
  const { rules } = await checkFaulty(['legacy', 'params-exit'], ERAS.legacy);
  expect(new Set(rules)).toEqual(new Set(['server-lost']));
});

test('names the step that killed the server, and runs the others', async () => {
  const { found, sources } = await checkFaulty(['legacy', 'unknown-exit'], ERAS.legacy);
  expect(found[0]!.message).toMatch(/^During “unknown method”: The server exited with code 6/);
  const names = sources[0]!.steps.map(({ name }) => name);
  for (const { name } of SURVIVAL_STEPS) expect(names).toContain(name);
});

test('asks a hanging step again with four times the limit before it says so, and leads to the request', async () => {
  const { found, sources } = await checkFaulty(['legacy', 'list-hangs'], ERAS.legacy, { stepMs: HANG_MS }, []);
  expect(found).toEqual([
    expect.objectContaining({
      rule: 'no-answer',
      message:
        'During “list tools”: The server did not answer within 0.4 s, nor, when it was asked again, within 1.6 s.',
      frames: [expect.any(Number)],
    }),
  ]);
  const names = sources[0]!.steps.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['list resources', 'list prompts']));
});

test('a step that is only slow, as on a busy machine, makes no finding', async () => {
  const { rules, sources } = await checkFaulty(['legacy', 'list-slow'], ERAS.legacy, { stepMs: HANG_MS }, []);
  expect(rules).toEqual([]);
  expect(sources[0]!.facts.tools).toBe(1);
});

test('a server that can’t be asked again is reported for its first silence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-check-'));
  const script = join(folder, 'once.mjs');
  // Answers the handshake and nothing else, and ends at once when it is started again.
  writeFileSync(
    script,
    `import { existsSync, writeFileSync } from 'node:fs';
    if (existsSync(${JSON.stringify(`${script}.ran`)})) process.exit(1);
    writeFileSync(${JSON.stringify(`${script}.ran`)}, '');
    process.stdin.once('data', (line) => console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id,
      result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'once', version: '1' } } })));`,
  );
  const launch = resolveLaunch({ transport: 'stdio', command: process.execPath, args: [script] }, ERAS.legacy, []);
  const { found } = await checkLaunch(launch, { stepMs: HANG_MS }, []);
  rmSync(folder, { recursive: true });
  expect(found.map(({ message }) => message)).toContain('During “list tools”: The server did not answer within 0.4 s.');
});

test('findings of bad input lead to the answer, and a resource that does not exist is a warning', async () => {
  const faults = ['list-fails', 'unknown-tool', 'unknown-resource', 'unknown-code'];
  const { found } = await checkFaulty(['legacy', ...faults], ERAS.legacy);
  const about = found.map(({ rule, severity, frames, spec }) => [
    rule,
    severity,
    frames.length,
    spec?.split('/').at(-1),
  ]);
  expect(about).toEqual(
    expect.arrayContaining([
      ['list-failed', 'error', 1, 'tools'],
      ['unknown-name-accepted', 'error', 1, 'tools'],
      ['unknown-name-accepted', 'warning', 1, 'resources'],
      ['unknown-method-code', 'warning', 1, 'basic'],
    ]),
  );
});

test('says what to do about half a message, not about a slow server', async () => {
  const only = SURVIVAL_STEPS.filter(({ name }) => name === 'invalid JSON');
  const { found } = await checkFaulty(['legacy', 'json-hangs'], ERAS.legacy, { stepMs: HANG_MS }, only);
  expect(found.map(({ rule, advice }) => [rule, advice])).toEqual([
    ['no-answer', expect.stringContaining('A message ends with its line.')],
  ]);
});

test('checks a server of both eras in each', async () => {
  const launch = resolveLaunch(
    {
      transport: 'stdio',
      command: process.execPath,
      args: [join(import.meta.dirname, '../../../../examples/demo-server/server.mjs')],
    },
    'auto',
    [],
  );
  const { sources } = await checkLaunch(launch, { stepMs: 10_000 }, []);
  expect(sources.map(({ facts }) => facts.era)).toEqual(['modern', 'legacy']);
});

test('an era that a server does not speak is only a note', async () => {
  const { sources, rules } = await checkFaulty(['modern'], 'auto', {}, []);
  expect(rules).toEqual([]);
  expect(sources[0]!.notes).toContain('Not offered: legacy era.');
});

test.each([['never-starts'], ['exits-at-start']])('%s: ends, and says that there is no connection', async (fault) => {
  const { failure, rules } = await checkFaulty(['legacy', fault], ERAS.legacy, { wholeMs: 2000 });
  expect(failure).toBeDefined();
  expect(rules).toEqual(['connection-failed']);
});

test('`--request-timeout` limits the handshake too', async () => {
  const target = hostileTarget('silent');
  const words = target.transport === 'stdio' ? [target.command, ...target.args] : [];
  const limit = ['--protocol', ERAS.legacy, '--request-timeout', '0.3'];
  const { code, stdout } = await runCommand(['check', ...limit, '--', ...words]);
  expect(code).toBe(EXIT.noConnection);
  expect(stdout).toContain('did not answer initialize within 0.3 seconds (`--request-timeout`).');
});

test.each(['stubborn', 'stubborn-tree', 'setsid', 'silent', 'endless-pages', 'stderr-flood', 'closes-stdin'])(
  'ends against a server that is %s',
  async (behaviour) => {
    const launch = resolveLaunch(hostileTarget(behaviour), ERAS.legacy, []);
    // The last step, which looks at its memory, would take all of the time.
    await checkLaunch(launch, { wholeMs: 1500, stepMs: 500 }, SURVIVAL_STEPS.slice(0, -1));
  },
  30_000,
);
