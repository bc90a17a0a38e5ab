import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EXIT, ExitError } from '@/proxy/cli/exit-code';
import { capture } from '@/proxy/commands/headless/test-against';
import { runCommand } from '@/proxy/commands/test-command-line';

const SHOP = join(import.meta.dirname, '../../../../proxy/connection/fixtures/shop-server.mjs');
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-diff-'));
const [same, other] = ['same', 'schema'].map((change) => join(folder, `${change}.mcpr.jsonl`)) as [string, string];

beforeAll(async () => {
  for (const [change, file] of [
    ['same', same],
    ['schema', other],
  ] as const) {
    await capture({ transport: 'stdio', command: process.execPath, args: [SHOP, change] }, file, async (ask) => {
      await ask('tools/list');
      await ask('tools/call', '{"name":"order","arguments":{"item":"tea"}}');
      if (change === 'schema') await ask('tools/call', '{"name":"pages"}');
    });
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...argv: string[]) => runCommand(['diff', ...argv]);

test('reports changes of the server, and calls on one side only', async () => {
  const { stdout, code } = await run(same, other);
  expect(stdout.split('\n')).toEqual([
    'tool order',
    expect.stringContaining('breaking  The parameter `address` is new and required'),
    expect.stringMatching(/^tools\/call pages \(frame #\d+\) {2}only in .*schema\.mcpr\.jsonl$/),
    'Tools: ~86 tokens before, ~95 tokens after (+10%).',
    'Different: 1 change in what the server offers (1 breaking), 1 call on one side only, 1 call got the same response.',
  ]);
  expect(code).toBe(EXIT.serverError);
});

test('shows how far it is', async () => {
  const { status } = await run(same, other);
  expect(status[0]).toMatch(/^Reading .*same\.mcpr\.jsonl: [\d.]+ KB of [\d.]+ KB$/);
  expect(status.some((text) => text.includes('schema.mcpr.jsonl'))).toBe(true);
});

test('a recording equals itself', async () => {
  expect(await run(same, same, '--compare', 'strict')).toMatchObject({
    stdout: expect.stringMatching(/^No difference: the server offers the same, 1 call got the same response\.$/m),
    code: EXIT.fine,
  });
  expect(JSON.parse((await run(same, same, '--json')).stdout)).toMatchObject({ equal: true });
});

test('reads one side from stdin', async () => {
  for (const [from, words] of [
    [same, ['-', other]],
    [other, [same, '-']],
  ] as const) {
    vi.spyOn(process, 'stdin', 'get').mockReturnValueOnce(createReadStream(from) as unknown as typeof process.stdin);
    expect((await run(...words)).stdout).toContain('Different: 1 change in what the server offers');
  }
  await expect(run('-', '-')).rejects.toThrow('`-` is stdin, which can be read only once');
});

test('writes a report for build servers', async () => {
  const xml = join(folder, 'out.xml');
  expect((await run(same, other, '--report', `junit=${xml}`)).code).toBe(EXIT.serverError);
  const text = readFileSync(xml, 'utf8');
  expect(text).toContain(`<testsuite name="${same} → ${other}" tests="4" failures="2"`);
  expect(text).toMatch(/name="#\d+ tools\/call pages"><failure message="it is only in .*schema\.mcpr\.jsonl">/);
  expect((await run(same, same, '--report', `junit=${xml}`)).code).toBe(EXIT.fine);
  expect(readFileSync(xml, 'utf8')).toContain('failures="0"');
});

test('fails if nothing can be compared', async () => {
  const empty = join(folder, 'empty.mcpr.jsonl');
  await capture({ transport: 'stdio', command: process.execPath, args: [SHOP] }, empty, async () => {});
  expect(await run(empty, empty)).toMatchObject({
    stdout: [
      `Tools were not compared: no list of tools in ${empty} or ${empty}.`,
      'Tools: tokens unknown, because neither side lists them.',
      'Nothing could be compared: no list in common, no calls.',
    ].join('\n'),
    code: EXIT.serverError,
  });
});

test.each<[string[], string]>([
  [[same, '/nowhere'], '`/nowhere` can’t be opened. File not found. Check the path after `diff`.'],
  [[same, SHOP], 'can’t be opened.'],
  [[same, other, '--compare', 'x'], 'choose from structure'],
  [[same, other, '--report', 'junit=/nowhere/out.xml'], 'check the path after `--report junit`'],
])('%j is refused', async (argv, sentence) => {
  const failure = await run(...argv).catch((error) => error);
  expect(failure).toBeInstanceOf(ExitError);
  expect(failure.message).toContain(sentence);
});
