import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isFailure } from '@/lib/wire/lifecycle';
import { EXIT } from '@/proxy/cli/exit-code';
import { runCommand } from '@/proxy/commands/test-command-line';
import { requireShape } from '@/proxy/commands/test-output-shape';
import { makeFolder } from '@/proxy/files/data-folder';
import { recorded } from './test-recordings';

const home = mkdtempSync(join(tmpdir(), 'mcp-inspect-query-'));
const kept = join(home, 'recordings');
beforeAll(() => {
  vi.stubEnv('MCP_INSPECT_HOME', home);
  makeFolder(kept);
  for (const name of ['one', 'two']) recorded(kept, name);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** Runs a query, and keeps what it writes to stdout. Rejects as the subcommand does. */
async function query(...words: string[]): Promise<string> {
  const texts: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => texts.push(String(text)) > 0);
  try {
    expect((await runCommand(['query', ...words])).code).toBe(EXIT.fine);
  } finally {
    spy.mockRestore();
  }
  return texts.join('');
}

test('answers over the recordings that are kept, a folder and a file', async () => {
  const sql = 'select recording, count(*) as calls from calls group by recording order by recording';
  const both = '{"recording":"one","calls":4}\n{"recording":"two","calls":4}\n';
  expect(await query(sql, '--json')).toBe(both);
  expect(await query(sql, kept, '--json')).toBe(both);
  expect(await query(sql, join(kept, 'two.mcpr.jsonl'))).toBe('recording  calls\ntwo        4\n');
});

test('schemas/…query… describes each row', async () => {
  const sql = 'select tool, count(*) as n, null as none, [1] as list from calls group by tool';
  for (const form of [['--json'], ['--format', 'json']]) {
    const lines = (await query(sql, ...form)).trim().split('\n');
    for (const line of lines) requireShape('query', line);
  }
});

test('a mistake is said without a recording, and before one is read', async () => {
  const empty = mkdtempSync(join(home, 'empty-'));
  vi.stubEnv('MCP_INSPECT_HOME', empty);
  const failure = async (...words: string[]) =>
    (await query(...words).catch((error: Error) => error.message)) as string;
  const views = 'The views are frames, exchanges, calls, problems and recordings.';
  expect(await failure('from nosuch')).toContain(views);
  expect(await failure('from nosuch', '/nowhere/a.mcpr.jsonl')).toContain(views);
  expect(await failure('from call')).toContain('Did you mean "calls"');
  expect(await failure("from read_text('/etc/hostname')")).toContain('A query can only read the views.');
  for (const name of ['frames', 'exchanges', 'calls', 'problems', 'recordings'])
    expect(await failure(`from ${name}`)).toMatch(/^No recordings are kept/);
  vi.stubEnv('MCP_INSPECT_HOME', home);
});

test('--limit chooses rows of the result, in each form', async () => {
  const sql = 'select r from range(9) as t(r)';
  expect(await query(sql, '--json', '--limit', '2')).toBe('{"r":0}\n{"r":1}\n');
  expect(await query(sql, '--limit', '3-4')).toBe('r\n2\n3\n');
  expect(await query(sql, '--format', 'csv', '--limit', '9-20')).toBe('r\r\n8\r\n');
  const { notes } = await runCommand(['query', sql, '--json', '--limit', '2', '--out', join(home, 'some.json')]);
  expect(notes.at(-1)).toBe('mcp-inspect: For more: --limit 3-4');
});

test('an empty result has its columns', async () => {
  expect(await query('from calls where false', kept, '--format', 'csv')).toMatch(/^recording,frame,.*\r\n$/);
});

test.each([
  [['selec 1', '--json'], EXIT.usage, /Syntax error.*⟨here⟩selec 1/],
  [['select 1', '--json', '--format', 'csv'], EXIT.usage, /Choose one of `--json` and `--format csv`/],
  [['select 1', '--memory', 'much'], EXIT.usage, /`--memory much`/],
  [['select 1', '--timeout', '0'], EXIT.usage, /`--timeout 0`/],
  [['select 1', '/nowhere/a.mcpr.jsonl'], EXIT.usage, /`\/nowhere\/a\.mcpr\.jsonl` can’t be opened\. File not found/],
  [['select 1', 's3://'], EXIT.usage, /`s3:\/\/` does not name a bucket/],
  [['select 1', '--out', '/nowhere/a.parquet'], EXIT.usage, /The file `\/nowhere\/a\.parquet` can’t be written/],
  [['select 1', '--format', 'parquet'], EXIT.usage, /add `--out NAME\.parquet`/],
  [['select 1', '--out', 'a.xls', '--format', 'csv'], EXIT.usage, /needs a file name that ends in `\.csv`/],
  [
    ['from nosuch'],
    EXIT.usage,
    /^(?!.*Did you mean).*nosuch.*The views are frames, exchanges, calls, problems and recordings\.$/,
  ],
  [
    ['select count(*) from range(100000000000) a, range(1000) b', '--timeout', '0.1'],
    EXIT.timeout,
    /took longer than 100 ms/,
  ],
])('%j ends with exit code %i', async (words, exitCode, message) => {
  const failure = await query(...words).catch((error: unknown) => error);
  const sentence = isFailure(failure) ? `${failure.message} ${failure.advice}` : (failure as Error).message;
  expect(sentence).toMatch(message);
  if (!isFailure(failure)) expect(failure).toMatchObject({ exitCode });
});

test('--out writes a file, and nothing after an error', async () => {
  const [good, bad] = [join(home, 'good.parquet'), join(home, 'bad.parquet')];
  expect(await query('from calls', '--out', good)).toBe('');
  expect(statSync(good).size).toBeGreaterThan(500);
  const csv = join(home, 'good.csv');
  expect(await query('select count(*) as n from calls', '--out', csv)).toBe('');
  expect(readFileSync(csv, 'utf8')).toBe('n\r\n8\r\n');
  expect(
    await query('select count(*) as n from calls', '--since', '1h', '--json').catch((error: Error) => error.message),
  ).toContain('No recording began since then');
  await expect(query("select error('late') from calls", '--out', bad)).rejects.toMatchObject({
    exitCode: EXIT.usage,
  });
  expect(readdirSync(home).filter((name) => name.startsWith('bad'))).toEqual([]);
});

test('export --format parquet writes a folder for each table', async () => {
  const out = join(home, 'tables-out');
  const folder = join(home, 'exported');
  makeFolder(folder);
  for (const id of ['recording-1', 'recording-2']) recorded(folder, id, { id });
  const { stdout, code } = await runCommand(['export', '--format', 'parquet', '--out', out, folder]);
  expect([stdout, code]).toEqual([`Wrote the tables of 2 recordings to ${out}`, EXIT.fine]);
  expect(readdirSync(out).sort()).toEqual(['exchanges', 'frames', 'problems', 'recordings']);
  for (const table of readdirSync(out))
    expect(readdirSync(join(out, table)).sort()).toEqual(['recording-1.parquet', 'recording-2.parquet']);
});
