import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Target } from '@/lib/wire/command';
import { EXIT } from '@/proxy/cli/exit-code';
import { capture, testAgainst } from '@/proxy/commands/headless/test-against';
import { requestOf, runCommand } from '@/proxy/commands/test-command-line';
import { findTestFiles } from './find-files';

const SHOP = join(import.meta.dirname, '../../../../proxy/connection/fixtures/shop-server.mjs');
const shop = (change: string): Target => ({ transport: 'stdio', command: process.execPath, args: [SHOP, change] });
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-pins-'));
  file = join(folder, 'mcp-inspect.pins.json');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const write = (...calls: readonly object[]) => writeFileSync(file, JSON.stringify({ pins: 1, calls }, undefined, 2));
const ORDER = { tool: 'order', arguments: { item: 'tea' }, save: { order: '$.content[0].text.order' } };
const STATUS = { name: 'is it on its way', tool: 'status', arguments: { order: '${order}' } };
const plain = (lines: readonly string[]) => lines.join('\n').replace(/ {2}[\d.]+ (?:µs|m?s)$/gm, '');

test('values of one answer are used in later calls, and `--update` accepts what is shown', async () => {
  write(ORDER, STATUS);
  const first = await testAgainst(shop('same'), file);
  expect(plain(first.stdout)).toBe('new      tools/call order\nnew      is it on its way\n2 calls: 2 new.');
  expect(first.notes).toEqual([
    'mcp-inspect: 2 calls without an accepted answer. Accept what you see with `--update`.',
  ]);
  expect(first.code).toBe(EXIT.fine);

  const updated = await testAgainst(shop('same'), file, '--update');
  expect(updated).toMatchObject({ notes: [`mcp-inspect: Accepted 2 answers in ${file}.`], code: EXIT.fine });
  expect(readFileSync(file, 'utf8')).toContain('tea is on its way');

  // The order has another id and time.
  const again = await testAgainst(shop('same'), file);
  expect(plain(again.stdout)).toContain('2 calls: 2 same.');
  expect(again.code).toBe(EXIT.fine);
});

test('a new project learns how to make its first pins', async () => {
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  await expect(testAgainst(shop('same'))).rejects.toThrow(
    /^There are no pinned calls yet: .+ `mcp-inspect test --add RECORDING > mcp-inspect\.pins\.json`, or choose \*Pin/,
  );
  vi.restoreAllMocks();
});

test('a changed answer is shown, fails, and can be ignored by its place', async () => {
  write(ORDER);
  await testAgainst(shop('same'), file, '--update');
  const changed = await testAgainst(shop('result'), file);
  expect(plain(changed.stdout)).toBe(
    'changed  tools/call order\n  changed content[0].text → price: 10 → 12\n1 call: 1 changed.',
  );
  expect(changed.code).toBe(EXIT.serverError);
  expect((await testAgainst(shop('result'), file, '--ignore', '$..price')).code).toBe(EXIT.fine);
  write({
    ...ORDER,
    ignore: ['$.content[0].text.price'],
    result: JSON.parse(readFileSync(file, 'utf8')).calls[0].result,
  });
  expect((await testAgainst(shop('result'), file)).code).toBe(EXIT.fine);
});

test('an error where a result was accepted is broken; calls after it that need its values are skipped', async () => {
  write(
    { ...ORDER, result: { content: [] } },
    { tool: 'status', arguments: { order: 'none' }, result: { content: [] } },
    { tool: 'status', arguments: { order: 'none' }, save: { way: '$.way' } },
    { tool: 'status', arguments: { order: '${way}' } },
  );
  const { stdout, code } = await testAgainst(
    shop('same'),
    file,
    '--json',
    '--report',
    `junit=${join(folder, 'report.xml')}`,
  );
  const report = JSON.parse(stdout[0]!);
  expect(report.summary).toEqual({ same: 0, changed: 1, broken: 1, new: 1, skipped: 1 });
  expect(report.calls[1]).toMatchObject({ verdict: 'broken', ends: ['a result', 'a result with isError'] });
  expect(report.calls[3].why).toBe('The answer of “tools/call status” has no value for way.');
  expect(code).toBe(EXIT.serverError);
  expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toMatch(/tests="4" failures="2" errors="0" skipped="1"/);
});

test('a server that exits breaks the call, and those after it', async () => {
  write(ORDER, { tool: 'status', arguments: { order: 'x' } });
  const { stdout, code } = await testAgainst(shop('exits'), file);
  expect(stdout.join('\n')).toMatch(/broken .*\n.*exited/);
  expect(code).toBe(EXIT.serverError);
});

describe('a call that nothing answers to', () => {
  test('is broken, whatever answer was accepted, and can’t be accepted', async () => {
    const gone = { tool: 'renamed', error: { code: -32602, message: 'Tool renamed not found' } };
    write(ORDER, gone, { tool: 'renamed too' }, { method: 'no/such', error: { code: -32601, message: 'x' } });
    const before = readFileSync(file, 'utf8');
    const { stdout, code } = await testAgainst(shop('same'), file, '--update');
    expect(plain(stdout).split('\n')).toEqual([
      'new      tools/call order',
      'broken   tools/call renamed',
      '  The server lists no tool “renamed”. Delete the call, or name what answers now.',
      'broken   tools/call renamed too',
      '  The server lists no tool “renamed too”. Delete the call, or name what answers now.',
      'broken   no/such',
      '  The server does not have the method no/such. Delete the call, or name what answers now.',
      '4 calls: 3 broken, 1 new.',
    ]);
    expect(code).toBe(EXIT.serverError);
    expect(readFileSync(file, 'utf8').split('"error"')).toHaveLength(before.split('"error"').length);
  });

  test('does not exist in a file without calls, which fails', async () => {
    write();
    const { stdout, notes, code } = await testAgainst(shop('same'), file, '--report', `junit=${join(folder, 'e.xml')}`);
    expect(stdout).toEqual(['No calls.']);
    expect(notes[0]).toContain('The file has no calls, so it tests nothing.');
    expect(readFileSync(join(folder, 'e.xml'), 'utf8')).toContain('failures="1"');
    expect(code).toBe(EXIT.serverError);
  });
});

test('a folder has recordings and pins files, each played on a server of its own', async () => {
  write(ORDER);
  await capture(shop('same'), join(folder, 'a.mcpr.jsonl'), async (ask) => {
    await ask('tools/list');
    await ask('tools/call', '{"name":"order","arguments":{"item":"tea"}}');
  });
  writeFileSync(join(folder, 'notes.txt'), 'not a test');
  const [server, xml] = [['--', process.execPath, SHOP, 'result'], join(folder, 'all.xml')];
  const { code } = await runCommand(['test', folder, '--report', `junit=${xml}`, ...server]);
  expect(code).toBe(EXIT.serverError);
  expect(readFileSync(xml, 'utf8').match(/<testsuite name="[^"]*"/g)).toEqual([
    '<testsuite name="shop-server.mjs"',
    `<testsuite name="${file}"`,
  ]);
  expect((await runCommand(['test', folder, '--update', ...server])).code).toBe(EXIT.fine);
  expect((await runCommand(['test', folder, ...server])).code).toBe(EXIT.fine);
  const found = async (...choice: string[]) =>
    (await findTestFiles({ version: '', request: requestOf('test', folder, ...choice, '--demo') })).map(
      ({ kind }) => kind,
    );
  await expect(findTestFiles({ version: '', request: requestOf('test', '--limit', '1', '--demo') })).rejects.toThrow(
    'name that before the server',
  );
  // A pins file has no date.
  expect(await found('--since', '2100-01-01')).toEqual(['pins']);
  expect(await found('--limit', '1')).toEqual(['recording']);
  const minimised = await runCommand(['test', folder, '--minimise', '--limit', '1', ...server]);
  expect(minimised.code).toBe(EXIT.usage);
});

test.each([
  ['--fail-on exit', '`--fail-on` belongs to `--minimise`'],
  ['--out x', '`--out` belongs to `--minimise`'],
  ['--update --watch', 'can’t be combined'],
  ['--add --report junit=x.xml', 'has no effect beside `--add`'],
  ['--minimise --timeout 5', 'has no effect beside `--minimise`'],
])('test %s is refused', async (options, why) => {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const { code } = await runCommand(['test', file, ...options.split(' '), '--demo']);
  vi.restoreAllMocks();
  expect(said.join('')).toContain(why);
  expect(code).toBe(EXIT.usage);
});

describe('the file', () => {
  test('keeps its layout and mode', async () => {
    write(ORDER);
    chmodSync(file, 0o644);
    const before = readFileSync(file, 'utf8');
    await testAgainst(shop('same'), file, '--update');
    expect(readFileSync(file, 'utf8').startsWith(before.slice(0, before.lastIndexOf('"')))).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  test('attack: a link is replaced, and what it leads to stays', async () => {
    write(ORDER);
    const [secret, link] = [join(folder, 'secret'), join(folder, 'link.json')];
    writeFileSync(secret, readFileSync(file));
    symlinkSync(secret, link);
    await testAgainst(shop('same'), link, '--update');
    expect(readFileSync(secret)).toEqual(readFileSync(file));
    expect(readFileSync(link, 'utf8')).toContain('"result"');
  });

  test.each([
    ['', 'is neither a recording nor a pins file'],
    ['{"pins":2', 'It is not a JSON object'],
    ['{"pins":1,"calls":[{}]}', 'calls[0] needs one of'],
  ])('that is %j is an error', async (text, why) => {
    writeFileSync(file, text);
    await expect(testAgainst(shop('same'), file)).rejects.toMatchObject({ exitCode: EXIT.usage });
    await expect(testAgainst(shop('same'), file)).rejects.toThrow(why.split('`')[0]!.trim());
  });

  test('that does not exist is an error', async () => {
    await expect(testAgainst(shop('same'), join(folder, 'none.json'))).rejects.toThrow(
      'File not found. Check the path after `test`.',
    );
  });
});

test('secrets are in neither the report nor the file', async () => {
  const recorded = join(folder, 'a.mcpr.jsonl');
  await capture(shop('tells'), recorded, async (ask) => {
    await ask('tools/call', '{"name":"order","arguments":{"item":"tea"}}');
  });
  const { stdout } = await runCommand(['test', '--add', recorded]);
  writeFileSync(file, stdout);
  const { code } = await testAgainst(shop('tells'), file, '--update');
  expect(code).toBe(EXIT.fine);
  expect(readFileSync(file, 'utf8')).not.toMatch(/sk-[a-z0-9]{10}/);
});

test('a recording has no value of a variable that a call sends', async () => {
  vi.stubEnv('MCP_INSPECT_TEST_ITEM', 'correct-horse-battery');
  write({ ...ORDER, arguments: { item: '${env:MCP_INSPECT_TEST_ITEM}' } }, STATUS);
  const recorded = join(folder, 'a.mcpr.jsonl');
  const { code } = await runCommand(['test', file, '--record', recorded, '--', process.execPath, SHOP, 'same']);
  expect(code).toBe(EXIT.fine);
  expect(readFileSync(recorded, 'utf8')).toContain('is on its way');
  expect(readFileSync(recorded, 'utf8')).not.toContain('correct-horse');
});

test('the calls of a recording become a pins file, which passes on the same server', async () => {
  const recorded = join(folder, 'a.mcpr.jsonl');
  await capture(shop('same'), recorded, async (ask) => {
    await ask('tools/list');
    const ordered = await ask(
      'tools/call',
      '{"name":"order","arguments":{"item":"tea"},"_meta":{"progressToken":7,"mine":1}}',
    );
    const { order } = JSON.parse((ordered as any).result.content[0].text);
    await ask('tools/call', JSON.stringify({ name: 'status', arguments: { order } }));
  });
  const { stdout, notes } = await runCommand(['test', '--add', recorded]);
  expect(notes.at(-1)).toBe('mcp-inspect: 2 calls pinned, with the recorded answers.');
  expect(stdout).not.toContain('progressToken');
  writeFileSync(file, stdout);
  const { stdout: report } = await testAgainst(shop('same'), file);
  expect(report.at(-1)).toContain('2 calls: 2 same.');
});
