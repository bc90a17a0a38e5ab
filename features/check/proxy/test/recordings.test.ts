import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Target } from '@/lib/wire/command';
import { EXIT } from '@/proxy/cli/exit-code';
import type { ServerConnection } from '@/proxy/commands/headless/server-connection';
import { capture, structured, testAgainst, testInterrupted } from '@/proxy/commands/headless/test-against';

const SHOP = join(import.meta.dirname, '../../../../proxy/connection/fixtures/shop-server.mjs');
const shop = (change: string): Target => ({ transport: 'stdio', command: process.execPath, args: [SHOP, change] });
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-verify-'));
const file = join(folder, 'shop.mcpr.jsonl');
afterAll(() => rmSync(folder, { recursive: true }));

const call = (ask: ServerConnection['request'], name: string, args: object = {}) =>
  ask('tools/call', JSON.stringify({ name, arguments: args }));

beforeAll(async () => {
  await capture(shop('same'), file, async (ask) => {
    await ask('tools/list');
    const ordered = await call(ask, 'order', { item: 'tea' });
    const { order } = JSON.parse((ordered as any).result.content[0].text);
    await call(ask, 'status', { order });
    const page = await call(ask, 'pages');
    await call(ask, 'pages', { cursor: structured(page, 'nextCursor') });
    await call(ask, 'confirm');
    await ask('prompts/list');
  });
});

test('the same server passes, with its new ids and the recorded client’s answers', async () => {
  const { stdout, code } = await testAgainst(shop('same'), file);
  expect(stdout).toEqual(['No difference: the server offers the same, 6 calls got the same response.']);
  expect(code).toBe(EXIT.fine);
});

test('reads a list again after the server changed it, like the recorded client', async () => {
  expect((await testAgainst(shop('late'), file)).code).toBe(EXIT.fine);
});

test('shows how many requests were played', async () => {
  const { shown } = await testAgainst(shop('same'), file);
  const counts = shown.filter((text) => text.includes('requests'));
  expect(counts).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `${n} of 7 requests… Ctrl-C stops and prints the report`));
});

test('Ctrl-C cancels the request under way, and prints the report of those before', async () => {
  const { stdout, notes, code } = await testInterrupted(shop('same'), '3 of 7 requests', file);
  expect(stdout[0]).toMatch(/No difference: .*, 2 calls got the same response\.$/);
  expect(notes).toEqual(['mcp-inspect: Interrupted after 3 of 7 requests. The rest was not sent.']);
  expect(code).toBe(EXIT.interrupted);
  const json = await testInterrupted(shop('same'), '0 of 7 requests', file, '--json');
  expect(JSON.parse(json.stdout[0]!)).toMatchObject({ interrupted: { sent: 0, of: 7 }, calls: [] });
});

test('polls a task until it ends, as recorded', async () => {
  const tasks = join(folder, 'tasks.mcpr.jsonl');
  await capture(shop('same'), tasks, async (ask) => {
    const begun = await call(ask, 'begin');
    const { taskId } = (begun as any).result.task;
    for (let polls = 0; polls < 3; polls++) await ask('tasks/get', JSON.stringify({ taskId }));
  });
  const { stdout } = await testAgainst(shop('same'), tasks);
  expect(stdout[0]).toMatch(/\ntasks\/get \S+ \(frame #\d+\) {2}skipped: the task was still running/);
  expect(stdout[0]).toMatch(
    /No difference: what the server offers was not compared, 2 calls got the same response, 2 calls skipped\.$/,
  );
});

test('strict mode reports what differs from run to run', async () => {
  const { stdout, code } = await testAgainst(shop('same'), file, '--compare', 'strict');
  expect(stdout[0]).toContain('changed content[0].text: ');
  expect(stdout[0]).toMatch(/Different: 3 of 6 calls got a different response\.$/);
  expect(code).toBe(EXIT.serverError);
  expect((await testAgainst(shop('result'), file, '--compare', 'structure')).code).toBe(EXIT.fine);
});

describe('fails and names one change of a server', () => {
  test.each([
    [
      'result',
      /^tools\/call order \(frame #\d+ before, #\d+ after\)\n {2}changed content\[0\]\.text → price: 10 → 12\nDifferent: 1 of 6 calls got/,
    ],
    [
      'schema',
      /^tool order\n {2}breaking {2}The parameter `address` is new and required: string\. Existing calls leave it out\.\nDifferent: 1 change in what the server offers \(1 breaking\), 6 calls got the same response\.$/,
    ],
    [
      'gone',
      /^tool status\n {2}breaking {2}The tool is gone\. .*\n.*\n {2}ended differently: a result → error -32602\n/,
    ],
    ['asks', /changed asked\["elicitation\/create"\]\[0\]\.message: "Sure\?" → "Truly\?"/],
  ])('%s', async (change, report) => {
    const { stdout, code } = await testAgainst(shop(change), file);
    expect(stdout[0]).toMatch(report);
    expect(code).toBe(EXIT.serverError);
  });
});

test('reports what could not be sent after the server exited', async () => {
  const { stdout, notes, code } = await testAgainst(shop('exits'), file);
  expect(stdout[0]).toContain('ended differently: a result → no response');
  expect(stdout[0]).toContain('tools/call confirm (frame #');
  expect(notes).toEqual([expect.stringContaining('The server exited with code 3')]);
  expect(code).toBe(EXIT.noConnection);
});

test('shows no secret of the server in any report', async () => {
  const token = 'Qp3kd8fj2mm1';
  const target: Target = {
    transport: 'stdio',
    command: process.execPath,
    args: [SHOP, 'tells'],
    env: { SHOP_TOKEN: token },
  };
  const xml = join(folder, 'secret.xml');
  const plain = await testAgainst(target, file, '--report', `junit=${xml}`);
  const forPrograms = await testAgainst(target, file, '--json', '--compare', 'strict');
  const reports = [plain.stdout.join('\n'), forPrograms.stdout.join('\n'), readFileSync(xml, 'utf8')];
  for (const report of reports) {
    expect(report).toMatch(/\[redacted:given:\w{8}\]/);
    expect(report).toMatch(/\[redacted:stripe:\w{8}\]/);
    expect(report).not.toMatch(/Qp3kd8|UXAza2|aB3daB3d/);
  }
  expect(statSync(xml).mode & 0o777).toBe(0o600);
});

test('writes JSON, and replaces the JUnit XML of the last run', async () => {
  const xml = join(folder, 'out.xml');
  for (const change of ['same', 'result']) await testAgainst(shop(change), file, '--report', `junit=${xml}`);
  const report = readFileSync(xml, 'utf8');
  expect(report).toContain('<testsuite name="shop-server.mjs" tests="8" failures="1" errors="0" skipped="0">');
  expect(report).toMatch(
    /<testcase classname="tools\/call" name="#\d+ tools\/call order {&quot;item&quot;:&quot;tea&quot;}"><failure message="changed content\[0\]/,
  );
  const { stdout } = await testAgainst(shop('result'), file, '--json');
  expect(JSON.parse(stdout[0]!)).toMatchObject({ equal: false, catalogue: [] });
});

describe('too little to compare', () => {
  const NO_TOOLS = 'Tools were not compared: no list of tools in the recording.';

  test('passes without a recorded list of tools, and says that tools were not compared', async () => {
    const [bare, xml] = [join(folder, 'bare.mcpr.jsonl'), join(folder, 'bare.xml')];
    await capture(shop('same'), bare, async (ask) => void (await call(ask, 'order', { item: 'tea' })));
    const { stdout, code } = await testAgainst(shop('schema'), bare, '--report', `junit=${xml}`);
    expect(stdout[0]?.split('\n')).toEqual([
      NO_TOOLS,
      'No difference: what the server offers was not compared, 1 call got the same response.',
    ]);
    expect(code).toBe(EXIT.fine);
    const report = readFileSync(xml, 'utf8');
    expect(report).toContain('tests="3" failures="0" errors="0" skipped="1"');
    expect(report).toContain('<testcase classname="server" name="what the server is"/>');
    expect(report).toContain(`<skipped message="${NO_TOOLS}"/>`);
    const forPrograms = JSON.parse((await testAgainst(shop('schema'), bare, '--json')).stdout[0]!);
    expect(forPrograms).toMatchObject({
      listed: [],
      unlisted: [{ list: 'tools', in: 'both' }],
      nothingCompared: false,
    });
  });

  test('fails without any list or answered call', async () => {
    const [nothing, xml] = [join(folder, 'nothing.mcpr.jsonl'), join(folder, 'nothing.xml')];
    await capture(
      shop('same'),
      nothing,
      async (ask) => void (await call(ask, 'order', { item: '[redacted:key:1f2e3d4c]' })),
    );
    const { stdout, notes, code } = await testAgainst(shop('same'), nothing, '--report', `junit=${xml}`);
    expect(stdout[0]).toMatch(/\nNothing could be compared: no list in common, 1 call skipped\.$/);
    expect(notes).toEqual([expect.stringMatching(/Nothing could be compared: record .* give .*`--secret/)]);
    expect(code).toBe(EXIT.serverError);
    expect(readFileSync(xml, 'utf8')).toContain('failures="1"');
    expect(statSync(xml).mode & 0o777).toBe(0o600);
    const forPrograms = JSON.parse((await testAgainst(shop('same'), nothing, '--json')).stdout[0]!);
    expect(forPrograms).toMatchObject({ equal: false, nothingCompared: true });
    expect((await testAgainst(shop('same'), nothing, '--secret', '1f2e3d4c=tea')).stdout[0]).toContain(
      '1 call got the same response',
    );
  });
});

test.each<[string[], string]>([
  [['/nowhere'], 'File not found. Check the path after `test`.'],
  [['FILE', '--compare', 'loose'], 'choose from structure, semantic, strict'],
  [['FILE', '--ignore', 'times'], 'did you mean `time`?'],
  [['FILE', '--secret', 'x'], 'write `--secret 1f2e3d4c=VALUE`'],
])('%j is refused before any server starts', async (argv, sentence) => {
  const run = testAgainst(shop('same'), ...argv.map((word) => (word === 'FILE' ? file : word)));
  await expect(run).rejects.toMatchObject({ exitCode: EXIT.usage, message: expect.stringContaining(sentence) });
});
