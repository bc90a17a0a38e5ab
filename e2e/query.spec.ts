import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, packageFolder, test } from './bin';

// `query` as it is installed: its threads, and DuckDB of the data folder.

const root = join(import.meta.dirname, '..');
const SQL = 'select tool, count(*) as calls from calls group by tool order by tool';

/** A copy of mcp-inspect that does not lie below our own packages. */
let installed: string;
test.beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), 'mcp-inspect-query-'));
  cpSync(packageFolder(), installed, { recursive: true });
});
test.afterAll(() => rmSync(installed, { recursive: true }));

/** Makes a folder to work in, and a data folder, with DuckDB if it is wanted. */
function makeFolder(folder: string, hasDuckDb: boolean) {
  const home = join(folder, 'home');
  const modules = join(home, 'node_modules');
  mkdirSync(modules, { recursive: true });
  if (hasDuckDb) symlinkSync(join(root, 'node_modules/@duckdb'), join(modules, '@duckdb'));
  const cli = join(installed, 'dist/cli.js');
  const env = { ...process.env, MCP_INSPECT_HOME: home };
  return { cli, env, tables: join(home, 'tables/v1') };
}

/** Writes a recording of calls of one tool, whose results are checked against `pattern`. */
function writeRecording(
  file: string,
  calls: number,
  { id = 'calls', pattern }: { id?: string; pattern?: string } = {},
): void {
  const header = { mcpr: 2, id, at: '2026-01-31T12:00:00.000Z', by: 'x', mode: 'client', name: 'x' };
  const lines: object[] = [{ ...header, transport: 'stdio', redaction: { policy: 'capture/2' } }];
  const add = (d: '<' | '>', message: object) =>
    lines.push({ n: lines.length, t: lines.length * 1000, c: 'protocol', d, m: { jsonrpc: '2.0', ...message } });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  add('>', { id: 0, method: 'initialize', params });
  const serverInfo = { name: 's', version: '1' };
  add('<', { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  add('>', { method: 'notifications/initialized' });
  add('>', { id: 1, method: 'tools/list' });
  const outputSchema = { type: 'object', properties: { x: { type: 'string', pattern } } };
  add('<', {
    id: 1,
    result: { tools: [{ name: 'a', inputSchema: { type: 'object' }, ...(pattern && { outputSchema }) }] },
  });
  for (let call = 0; call < calls; call++) {
    add('>', { id: call + 2, method: 'tools/call', params: { name: 'a' } });
    const structuredContent = { x: `${'a'.repeat(50)}!` };
    const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
    add('<', { id: call + 2, result: pattern ? { content, structuredContent } : { content } });
  }
  lines.push({ k: 'end', t: lines.length * 1000, frames: lines.length - 1 });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function query({ cli, env }: ReturnType<typeof makeFolder>, folder: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'query', ...words], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 50_000,
  });
  return { status, stdout, stderr };
}

test('a package without DuckDB says how to install it, and reads nothing', () => {
  // The folder of this test's output is below our own packages.
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-query-'));
  const made = makeFolder(folder, false);
  writeRecording(join(folder, 'a.mcpr.jsonl'), 1);
  expect(query(made, folder, SQL, 'a.mcpr.jsonl')).toEqual({
    status: 2,
    stdout: '',
    stderr: `mcp-inspect: \`query\` needs DuckDB, which is not installed: run \`npm install --prefix ${made.env.MCP_INSPECT_HOME} @duckdb/node-api\`.\n`,
  });
  expect(existsSync(made.tables)).toBe(false);
  rmSync(folder, { recursive: true });
});

test('DuckDB of the data folder answers over tables that threads build', ({ start: _ }, { outputDir }) => {
  const made = makeFolder(outputDir, true);
  for (const name of ['a', 'b']) writeRecording(join(outputDir, `${name}.mcpr.jsonl`), 500);
  const answer = query(made, outputDir, SQL, 'a.mcpr.jsonl', '--json');
  expect(answer).toEqual({ status: 0, stdout: '{"tool":"a","calls":500}\n', stderr: '' });
  const twice = query(made, outputDir, SQL, 'a.mcpr.jsonl', 'b.mcpr.jsonl', '--format', 'csv');
  expect(twice.stdout).toBe('tool,calls\r\na,500\r\n');
  expect(twice.stderr).toBe('mcp-inspect: `b.mcpr.jsonl` is left out: it is the same recording as `a.mcpr.jsonl`.\n');
});

test('threads read one recording of a folder after another', ({ start: _ }, { outputDir }) => {
  const made = makeFolder(outputDir, true);
  const folder = join(outputDir, 'many');
  mkdirSync(folder);
  for (let at = 0; at < 12; at++) writeRecording(join(folder, `${at}.mcpr.jsonl`), 2, { id: `id-${at}` });
  const { stdout } = query(
    made,
    outputDir,
    'select count(distinct recording) as n, count(*) as calls from calls',
    folder,
    '--json',
  );
  expect(stdout).toBe('{"n":12,"calls":24}\n');
});

test('a schema whose check never ends does not stop a query', ({ start: _ }, { outputDir }) => {
  const made = makeFolder(outputDir, true);
  writeRecording(join(outputDir, 'a.mcpr.jsonl'), 1, { pattern: '^(a+)+$' });
  expect(query(made, outputDir, SQL, 'a.mcpr.jsonl', '--json')).toMatchObject({
    status: 0,
    stdout: '{"tool":"a","calls":1}\n',
  });
});

test('Ctrl-C ends the reading of a recording, and leaves nothing behind', async ({ start: _ }, { outputDir }) => {
  const made = makeFolder(outputDir, true);
  // Its schema check does not end, so the reading is under way when the folder is there.
  writeRecording(join(outputDir, 'a.mcpr.jsonl'), 1, { pattern: '^(a+)+$' });
  const child = spawn(process.execPath, [made.cli, 'query', SQL, 'a.mcpr.jsonl'], { cwd: outputDir, env: made.env });
  const exit = once(child, 'exit');
  await expect.poll(() => existsSync(made.tables) && readdirSync(made.tables).length).toBe(1);
  child.kill('SIGINT');
  expect(await exit).toEqual([130, null]);
  expect(readdirSync(made.tables)).toEqual([]);
});
