import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { runCommand } from '@/proxy/commands/test-command-line';
import { resolveLaunch } from '@/proxy/connection/launch';
import { pinsStep } from './pins';
import { checkLaunch } from './test-check';

const SHOP = join(import.meta.dirname, '../../../../proxy/connection/fixtures/shop-server.mjs');
const FAULTY = join(import.meta.dirname, '../../../../proxy/commands/fixtures/faulty-server.mjs');
let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'mcp-inspect-pins-')), 'mcp-inspect.pins.json');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(join(file, '..'), { recursive: true });
});

const answer = (price: number) => ({
  content: [
    {
      type: 'text',
      text: JSON.stringify({
        order: '2a033ffd-ae16-448e-a0e7-8ab5be0ed515',
        item: 'tea',
        placedAt: '2026-01-01T00:00:00Z',
        price,
      }),
    },
  ],
});
const ORDER = { tool: 'order', arguments: { item: 'tea' }, save: { order: '$.content[0].text.order' } };
const write = (...calls: readonly object[]) => writeFileSync(file, JSON.stringify({ pins: 1, calls }));

async function check() {
  const target = { transport: 'stdio', command: process.execPath, args: [SHOP, 'same'] } as const;
  const { found } = await checkLaunch(resolveLaunch(target, 'auto', []), {}, [
    await pinsStep({ path: file, shown: file }),
  ]);
  return found
    .filter(({ rule }) => rule.startsWith('pin-'))
    .map(({ rule, severity, message }) => ({ rule, severity, message }));
}

test('a call that nothing answers to is an error, and so is a file without calls', async () => {
  write({ tool: 'gone', error: { code: -32602, message: 'no tool' } });
  expect(await check()).toEqual([
    { rule: 'pin-broken', severity: 'error', message: expect.stringContaining('The server lists no tool “gone”.') },
  ]);
  write();
  expect(await check()).toMatchObject([{ rule: 'pin-missing', severity: 'error' }]);
});

test('answers that differ from the accepted ones are errors, and those without one are infos', async () => {
  write(
    { ...ORDER, result: answer(9) },
    { tool: 'status', arguments: { order: '${order}' } },
    { name: 'none', tool: 'status', arguments: { order: 'none' }, result: { content: [] } },
    { tool: 'order', arguments: { item: '${env:MCP_INSPECT_NOT_SET}' } },
    { tool: 'order', arguments: { item: 'milk' }, result: answer(10), ignore: ['$..item', '$..order'] },
  );
  expect(await check()).toEqual([
    { rule: 'pin-changed', severity: 'error', message: 'tools/call order: changed content[0].text → price: 9 → 10' },
    { rule: 'pin-new', severity: 'info', message: 'tools/call status: Pinned call without an accepted answer' },
    { rule: 'pin-broken', severity: 'error', message: expect.stringMatching(/^none: .*isError/) },
    {
      rule: 'pin-skipped',
      severity: 'error',
      message: 'tools/call order: The environment has no MCP_INSPECT_NOT_SET.',
    },
  ]);
});

test.each([
  [{}, [], EXIT.fine],
  [{ result: {} }, [], EXIT.fine],
  [{ result: { a: 1 } }, [], EXIT.serverError],
  [{}, ['--fail-on', 'info'], EXIT.serverError],
])('a pinned ping that has accepted %j, with %j, ends with exit code %i', async (accepted, options, code) => {
  write({ method: 'ping', ...accepted });
  const ran = await runCommand(['check', '--json', '--pins', file, ...options, '--', process.execPath, FAULTY]);
  expect(ran.code).toBe(code);
});

test('recordings of all sessions have no value of a variable that a call sends', async () => {
  vi.stubEnv('MCP_INSPECT_TEST_ITEM', 'correct-horse-battery');
  write(
    { ...ORDER, arguments: { item: '${env:MCP_INSPECT_TEST_ITEM}' } },
    { tool: 'status', arguments: { order: '${order}' } },
  );
  const folder = join(file, '..');
  const args = ['--json', '--pins', file, '--record', join(folder, 'a.mcpr.jsonl')];
  await runCommand(['check', ...args, '--', process.execPath, SHOP, 'same']);
  const recorded = readdirSync(folder).filter((name) => name.endsWith('.mcpr.jsonl'));
  const texts = recorded.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  expect(texts).toContain('is on its way');
  // A report leaves these recordings out.
  expect(texts.match(/"mode":"check"/g)).toHaveLength(recorded.length);
  expect(texts).not.toContain('correct-horse');
});

test.each([[['--all', '--config', 'x.json']], [['a.mcpr.jsonl']]])('`--pins` with %j is refused', async (args) => {
  write(ORDER);
  const refused = runCommand(['check', '--pins', file, ...args]).catch(({ exitCode }) => ({ code: exitCode }));
  expect((await refused).code).toBe(EXIT.usage);
});
