import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { columnsOf, TABLES } from '@/features/team/lib/tables/columns';
import { EXIT } from '@/proxy/cli/exit-code';
import { installLine } from '@/proxy/files/module-folders';
import type { Cell } from './cells';
import { exportTables } from './export-tables';
import { loadDuckDb } from './load-duckdb';
import { type RecordingTables, recordingTables } from './recording-tables';
import { ParquetResult, RESULT_FORMS } from './result-writers';
import { type QueryOptions, runQuery } from './run-query';
import { TableCache } from './table-cache';
import { fileOf, recorded, TOLD } from './test-recordings';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
const recordings = join(folder, 'recordings');
const duckdb = await loadDuckDb();
let tables: readonly RecordingTables[] = [];

beforeAll(async () => {
  const file = recorded(folder, 'session');
  tables = await recordingTables([fileOf(file)], new TableCache(recordings), TOLD, new AbortController().signal);
});
afterAll(() => rmSync(folder, { recursive: true }));

const LIMITS: Omit<QueryOptions, 'signal'> = { memoryMb: 200, temporary: join(folder, 'temporary') };

/** Returns the names of the columns, and the rows. */
async function ask(sql: string, options: Partial<QueryOptions> = {}) {
  const rows: (readonly Cell[])[] = [];
  let names: readonly string[] = [];
  await runQuery(
    duckdb,
    sql,
    tables,
    { ...LIMITS, signal: new AbortController().signal, ...options },
    {
      begin: (columns) => {
        names = columns.map(({ name }) => name);
      },
      addRows: (added) => rows.push(...added) > 0,
    },
  );
  return { names, rows };
}

test.each(['frames', 'exchanges', 'calls', 'problems', 'recordings'] as const)(
  'the view %s has the documented columns and types',
  async (view) => {
    const types = { text: 'VARCHAR', integer: 'INTEGER', bigint: 'BIGINT', double: 'DOUBLE', boolean: 'BOOLEAN' };
    const { rows } = await ask(`SELECT column_name, column_type FROM (DESCRIBE ${view})`);
    expect(rows).toEqual(
      columnsOf(view).map(({ name, type }) => [name, type === 'timestamp' ? 'TIMESTAMP' : types[type]]),
    );
    // Every name can be written without quotes.
    await ask(
      `SELECT ${columnsOf(view)
        .map(({ name }) => name)
        .join(', ')} FROM ${view}`,
    );
  },
);

test('answers over several views', async () => {
  const calls = await ask('select tool, count(*), count(ms), max(error) from calls group by tool order by tool');
  expect(calls.rows).toEqual([
    ['add', 3n, 3n, 'a is missing'],
    ['slow', 1n, 0n, null],
  ]);
  const joined = await ask(`select r.server, p.rule, c.tool from problems p
    join frames f using (recording, frame) join calls c on c.recording = f.recording and c.frame = coalesce(f.request, f.frame)
    join recordings r on r.recording = p.recording`);
  expect(joined.rows).toContainEqual(['s', 'field-type', 'add']);
});

describe('a query can only read the views', () => {
  const secret = join(folder, 'secret.txt');
  const written = join(folder, 'written');
  beforeAll(() => writeFileSync(secret, 'a secret'));

  test.each([
    ['copies', `copy frames to '${written}'`],
    ['copies over its own files', 'copy (select 1) to FRAMES'],
    ['attached databases', `attach '${written}' as x`],
    ['extensions', 'install httpfs'],
    ['loading extensions', "load '/tmp/x.duckdb_extension'"],
    ['exports', `export database '${written}'`],
    ['settings', "set memory_limit = '100GB'"],
    ['unlocking', 'set lock_configuration = false'],
    ['external access', 'set enable_external_access = true'],
    ['pragmas', 'pragma threads = 64'],
    ['new tables', 'create table t as select 1'],
    ['changes', 'delete from recordings'],
    ['calls', "call enable_logging(storage = 'file')"],
    ['explained copies', `explain analyze copy frames to '${written}'`],
    ['several statements', 'select 1; select 2'],
    ['none', ''],
    ['text files', `select * from read_text('${secret}')`],
    ['binary files', `select * from read_blob('${secret}')`],
    ['CSV files', `select * from read_csv('${secret}')`],
    ['JSON files', `select * from read_json('${secret}')`],
    ['files as tables', `select * from '${secret}'`],
    ['other Parquet files', `select * from read_parquet('${written}.parquet')`],
    ['lists of files', `select * from glob('${folder}/*')`],
    ['sniffing files', `select * from sniff_csv('${secret}')`],
    ['the network', "select * from read_parquet('http://127.0.0.1:9/x.parquet')"],
    ['buckets', "select * from read_csv('s3://x/y.csv')"],
    ['environment variables', "select getenv('HOME')"],
    ['SQL in a string', `select * from query('copy frames to ''${written}''')`],
  ])('%s are refused', async (_what, sql) => {
    const own = tables[0]!.folder;
    await expect(ask(sql.replace('FRAMES', `'${join(own, 'frames.parquet')}'`))).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringMatching(/^[A-Z].*[.`]$/s),
    });
    expect(existsSync(written)).toBe(false);
    expect((await ask('select count(*) from frames')).rows).toEqual([[BigInt(tables[0]!.row.frames!)]]);
  });

  test('a log of DuckDB is written nowhere', async () => {
    await ask(`select * from enable_logging('QueryLog', storage = 'file', storage_path = '${written}')`).catch(
      () => {},
    );
    expect(existsSync(written)).toBe(false);
  });
});

test('an id that ends a string of SQL is only a text', async () => {
  const id = "x'); drop table recordings; --";
  const file = recorded(folder, 'hostile', { id });
  const own = await recordingTables([fileOf(file)], new TableCache(recordings), TOLD, new AbortController().signal);
  const before = tables;
  tables = own;
  expect((await ask('select recording from recordings')).rows).toEqual([[id]]);
  tables = before;
});

test.each([
  ['select ä, foo from calls', /column "ä" not found.*`select ⟨here⟩ä, foo from calls`/],
  ["select 'ä', foo from calls", /"foo" not found.*`select 'ä', ⟨here⟩foo from calls`/],
  ['selec 1', /^Syntax error at or near "selec"\. `⟨here⟩selec 1`$/],
  ['select * from nothing', /nothing does not exist.*⟨here⟩nothing/],
  ['select count(*) from calls where ms = $1', /no parameters/],
  ['select 1 / (ms = null)::text::int from calls, error(1)', /\S/],
])('an error quotes its place: %s', async (sql, message) => {
  await expect(ask(sql)).rejects.toMatchObject({ exitCode: EXIT.usage, message: expect.stringMatching(message) });
});

const ENDLESS = 'select count(*) from range(100000000000) a, range(1000) b';

test.each([0, 1, 100])('a query ends after its %i ms', async (timeoutMs) => {
  await expect(ask(ENDLESS, { timeoutMs })).rejects.toMatchObject({ exitCode: EXIT.timeout });
});

test('a query ends when it is interrupted', async () => {
  await expect(ask(ENDLESS, { signal: AbortSignal.abort() })).rejects.toMatchObject({ exitCode: EXIT.interrupted });
  await expect(ask(ENDLESS, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ exitCode: EXIT.interrupted });
});

test('a query that needs more memory than it may have uses files', async () => {
  const sql =
    "select a from (select hash(range) || '-' || range as a from range(1000000)) order by a limit 1 offset 999999";
  expect((await ask(sql, { memoryMb: 40 })).rows).toHaveLength(1);
});

/** Writes the result of a query in a form. */
async function written(form: string, sql: string, width?: number) {
  const notes: string[] = [];
  const texts: string[] = [];
  const output = {
    print: async (text: string) => void texts.push(text),
    printNote: (note: string) => notes.push(note),
  };
  const writer = RESULT_FORMS[form]!({ ...output, width });
  await runQuery(duckdb, sql, tables, { ...LIMITS, signal: new AbortController().signal }, writer);
  await writer.end();
  return { text: texts.join(''), notes };
}

const MIXED = `select 1 as n, 'a|"b",\u001b[31m' as t, null as nothing, 1.50 as d, [1, 2] as l, {'x': true} as s,
  timestamp '2026-01-31 12:00:00.5' as at_time, 9007199254740993 as big, 'nan'::double as nan`;

test.each([
  [
    'json',
    String.raw`{"n":1,"t":"a|\"b\",\u001b[31m","nothing":null,"d":1.50,"l":[1,2],"s":{"x":true},"at_time":"2026-01-31T12:00:00.5Z","big":9007199254740993,"nan":null}`,
  ],
  [
    'csv',
    'n,t,nothing,d,l,s,at_time,big,nan\r\n1,"a|""b"",\u001b[31m",,1.50,"[1,2]","{""x"":true}",2026-01-31 12:00:00.5,9007199254740993,NaN',
  ],
  [
    'md',
    String.raw`| 1 | a\|"b",�\[31m |  | 1.50 | \[1,2\] | {"x":true} | 2026-01-31 12:00:00.5 | 9007199254740993 | NaN |`,
  ],
  ['table', '1  a|"b",�[31m           1.50  [1,2]  {"x":true}  2026-01-31 12:00:00.5  9007199254740993  NaN'],
])('writes %s', async (form, expected) => {
  expect((await written(form, MIXED)).text).toContain(expected);
});

test('on a terminal, CSV has no control characters', async () => {
  expect((await written('csv', MIXED, 80)).text).not.toContain('\u001b');
});

test('a table is cut, and says so', async () => {
  const { text, notes } = await written('table', 'from range(5000)');
  expect(text.trim().split('\n')).toHaveLength(1001);
  expect(notes).toEqual(['mcp-inspect: A table has at most 1,000 rows. Use `--format csv` for all.']);
});

async function readParquet(path: string) {
  const { buffer, byteOffset, byteLength } = readFileSync(path);
  const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  return { rows: await parquetReadObjects({ file }), metadata: parquetMetadata(file) };
}

test('writes a result as Parquet', async () => {
  const path = join(folder, 'result.parquet');
  const writer = new ParquetResult(path);
  await runQuery(duckdb, MIXED, tables, { ...LIMITS, signal: new AbortController().signal }, writer);
  expect(existsSync(path)).toBe(false);
  await writer.end();
  expect((await readParquet(path)).rows).toEqual(
    [
      {
        n: 1,
        t: 'a|"b",\u001b[31m',
        d: 1.5,
        l: '[1,2]',
        s: '{"x":true}',
        big: 9007199254740993n,
        nan: Number.NaN,
        at_time: new Date('2026-01-31T12:00:00.500Z'),
      },
    ].map((row) => ({ ...row, nothing: null })),
  );
});

test('exports the tables, with their version and columns', async () => {
  const out = join(folder, 'out');
  exportTables(tables[0]!, out);
  for (const [table, columns] of Object.entries(TABLES)) {
    const [name] = readdirSync(join(out, table));
    const { rows, metadata } = await readParquet(join(out, table, name!));
    expect(name).toBe('session.parquet');
    expect(metadata.schema.slice(1).map((column) => column.name)).toEqual(columns.map((column) => column.name));
    expect(metadata.key_value_metadata).toContainEqual({ key: 'mcp-inspect.tables', value: '1' });
    expect(rows.length).toBe(Number((await ask(`select count(*) from ${table}`)).rows[0]![0]));
    expect(rows.every(({ recording }) => recording === tables[0]!.row.recording)).toBe(true);
  }
});

test('without DuckDB, one sentence says how to install it', async () => {
  await expect(loadDuckDb(['/nowhere'])).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: `\`query\` needs DuckDB, which is not installed: run \`${installLine('@duckdb/node-api')}\`.`,
  });
});
