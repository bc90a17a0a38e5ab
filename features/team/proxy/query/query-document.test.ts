import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS_SQL, CALLS_VIEW, columnsOf, TABLES_VERSION, type TableColumn } from '@/features/team/lib/tables/columns';
import { ARGUMENTS_CHARS, ERROR_CHARS } from '@/features/team/lib/tables/row-texts';
import { formatCount } from '@/lib/wire/format';
import type { Cell } from './cells';
import { loadDuckDb } from './load-duckdb';
import { type RecordingTables, recordingTables } from './recording-tables';
import { TABLE_ROWS } from './result-writers';
import { runQuery } from './run-query';
import { CACHE_BYTES, TableCache } from './table-cache';
import { fileOf, recorded, TOLD } from './test-recordings';

/** Questions and their queries. Each has rows for the recordings of this test. */
const EXAMPLES: readonly (readonly [question: string, sql: string])[] = [
  [
    'Slowest tools',
    `select tool, count(*) as calls, quantile_cont(ms, 0.5) as p50, quantile_cont(ms, 0.99) as p99
from calls
group by tool
order by p99 desc`,
  ],
  [
    'Share of failed calls by version of the server',
    `select server, server_version, count(*) as calls, round(avg(failed::int), 3) as failed
from calls join recordings using (recording)
group by all
order by failed desc`,
  ],
  [
    'The slowest calls, to be opened with `mcp-inspect open FILE`',
    `select file, frame, tool, ms
from calls join recordings using (recording)
where ms is not null
order by ms desc
limit 10`,
  ],
  ['Errors of tools', 'select tool, error, count(*) as times from calls where failed group by all order by times desc'],
  [
    'Problems by tool',
    `select rule, tool, count(*) as times
from problems
join frames using (recording, frame)
join calls on calls.recording = frames.recording and calls.frame = coalesce(frames.request, frames.frame)
group by all
order by times desc`,
  ],
  [
    'Values of an argument',
    "select args ->> '$.a' as a, count(*) as calls, max(ms) as slowest from calls where tool = 'add' group by a order by a",
  ],
  [
    'Two commits of a server',
    `select git_commit, tool, quantile_cont(ms, 0.95) as p95, avg(failed::int) as failed
from calls join recordings using (recording)
group by all
order by tool, git_commit`,
  ],
  [
    'Bytes by channel',
    'select channel, count(*) as frames, sum(bytes) as bytes from frames group by channel order by bytes desc',
  ],
  [
    'Requests of the server to the client',
    "select method, status, count(*) as times from exchanges where direction = 'to-client' group by all",
  ],
];

/** Questions that the recordings of this test can’t answer. */
const WITHOUT_ROWS: ReadonlySet<string> = new Set(['Requests of the server to the client']);

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
const duckdb = await loadDuckDb();
let tables: readonly RecordingTables[] = [];
beforeAll(async () => {
  const files = ['one', 'two'].map((name) => fileOf(recorded(folder, name)));
  tables = await recordingTables(files, new TableCache(join(folder, 'recordings')), TOLD, new AbortController().signal);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(EXAMPLES)('the example runs: %s', async (question, sql) => {
  const rows: (readonly Cell[])[] = [];
  const options = { memoryMb: 200, temporary: join(folder, 'temporary'), signal: new AbortController().signal };
  await runQuery(duckdb, sql, tables, options, { begin: () => {}, addRows: (added) => rows.push(...added) > 0 });
  expect(rows.length > 0).toBe(!WITHOUT_ROWS.has(question));
});

test('docs/query.md describes every column (vitest --update rewrites it)', async () => {
  await expect(queryDocument()).toMatchFileSnapshot('../../../../docs/query.md');
});

function queryDocument(): string {
  return [
    '# SQL over recordings',
    '',
    '<!-- Written by features/team/proxy/query/query-document.test.ts. -->',
    '',
    '```sh',
    'npm install --prefix ~/.local/share/mcp-inspect @duckdb/node-api  # on Linux; without it, query names the folder',
    'mcp-inspect query "select tool, count(*), quantile_cont(ms, 0.99) from calls group by tool" session.mcpr.jsonl',
    'mcp-inspect query "from recordings" --json                        # all recordings that are kept',
    'mcp-inspect query "from problems" recordings/ s3://team/mcp --format csv',
    '```',
    '',
    'A query is one SELECT in the [SQL of DuckDB](https://duckdb.org/docs/stable/sql/introduction). DuckDB is not part of mcp-inspect: it is',
    'looked up beside mcp-inspect and in its data folder, never in the working directory. Nothing else needs it.',
    '',
    'Sources are files, folders, recordings and prefixes in buckets as `s3://…`, and `-` for stdin; without any, the',
    'recordings that are kept. `.mcpr.jsonl`, `.mcpr.gz` and `.har` files can be read. Recordings with the same id count once.',
    '',
    '| option | result |',
    '| --- | --- |',
    `| | a table of at most ${formatCount(TABLE_ROWS)} rows |`,
    '| `--json` | a line of JSON for each row. Times are ISO 8601 in UTC; numbers have all digits |',
    '| `--format csv` | CSV (RFC 4180) with a header. NULL is empty |',
    '| `--format md` | a Markdown table |',
    '| `--out FILE.parquet` | a Parquet file. Types without an equal in Parquet become text |',
    '| `--memory MB` | most memory of DuckDB (default 1000). It puts the rest into temporary files |',
    '| `--timeout SECONDS` | stops the query after this time, with exit code 5 |',
    '',
    'An error of the query quotes its place and has exit code 2. Ctrl-C stops the query, with exit code 130.',
    '',
    '## Views',
    '',
    'Rows of several views belong together by `recording` and `frame`. Columns that end in `ms` are milliseconds, measured at the tap.',
    'Any column but `recording` and `frame` may be NULL.',
    ...(['recordings', 'calls', 'exchanges', 'frames', 'problems'] as const).flatMap((view) => [
      '',
      `### ${view}`,
      '',
      ABOUT[view],
      '',
      '| column | type | meaning |',
      '| --- | --- | --- |',
      ...columnsOf(view).map(columnRow),
    ]),
    '',
    '### Values of `status`',
    '',
    '| status | meaning |',
    '| --- | --- |',
    ...Object.entries(STATUS_MEANINGS).map(([status, meaning]) => `| \`${status}\` | ${meaning} |`),
    '',
    '## Examples',
    ...EXAMPLES.flatMap(([question, sql]) => ['', `${question}:`, '', '```sql', sql, '```']),
    '',
    '## What the tables leave out',
    '',
    '- Results are not in the tables. `frame` and `response_frame` name the messages; `mcp-inspect search "seq:7" FILE` prints one.',
    '- A JSON-RPC batch (2025-03-26) is one row of `frames`. The requests in it are not in `exchanges` and `calls`.',
    `- \`args\` is whole JSON or NULL above ${formatCount(ARGUMENTS_CHARS)} characters, so that JSON functions never fail. \`error\` is cut at ${ERROR_CHARS} characters.`,
    '- Secrets are masked, because recordings hold masked values only.',
    '- Spans have rows in `frames` only (`channel` is `otel`, `kind` is `other`): `name`, but no duration, parent or attributes, and `ms` is NULL.',
    '  `export --format otlp` sends them to a backend that can be asked about spans. Log records and metrics are the same.',
    '- If frames are missing, rules that compare a message with others are off, as on the page.',
    '- Recordings are read in windows of 200,000 frames. A response that comes after its request was given up in an earlier window has',
    '  no request, and neither has the repetition of a call that was answered in one.',
    '',
    '## What a query can reach',
    '',
    'A query can read the views and nothing else. Other statements than one SELECT are refused. DuckDB runs in memory, without access to',
    'other files, the network, extensions and environment variables, and its settings are locked.',
    '',
    'The tables are built once, with the log and the rules of the page, as Parquet files in the folder `tables` beside the recordings, and',
    `again when a recording has changed. At most ${CACHE_BYTES / 1024 ** 3} GB are kept; those that were used least recently are deleted first. It is safe to delete the`,
    'folder. Recordings in a bucket are downloaded for that, checked against the digest in their name, and deleted afterwards.',
    '',
    '## Parquet for other engines',
    '',
    '```sh',
    'mcp-inspect export *.mcpr.jsonl --format parquet --out tables',
    '```',
    '',
    'writes `tables/frames/ID.parquet`, and the same for `exchanges`, `problems` and `recordings`: Snappy, no nested types, times as',
    '`TIMESTAMP_MICROS` in UTC. ID is the id of the recording, so exporting it again replaces its files. It needs no DuckDB.',
    '',
    '```sql',
    "-- ClickHouse: select name, quantile(0.99)(ms) from file('tables/exchanges/*.parquet') where method = 'tools/call' group by name",
    "-- Spark:      spark.read.parquet('tables/exchanges').createOrReplaceTempView('exchanges')",
    '-- BigQuery:   bq load --source_format=PARQUET mcp.exchanges gs://bucket/tables/exchanges/*.parquet',
    '```',
    '',
    '`calls` is a view:',
    '',
    '```sql',
    CALLS_SQL.replace(' FROM ', '\nFROM ')
      .replace(' WHERE ', '\nWHERE ')
      .replace(`${CALLS_VIEW.columns[7]}, `, `${CALLS_VIEW.columns[7]},\n  `),
    '```',
    '',
    `This is version ${TABLES_VERSION} of the tables, as \`mcp-inspect.tables\` in the metadata of each file says. A later version may add columns. It`,
    'gets another number if a column is renamed, removed or means something else.',
    '',
  ].join('\n');
}

const ABOUT = {
  recordings: 'One row per recording.',
  calls: 'One row per `tools/call` of the client. A subset of `exchanges`; `tool` is its `name`.',
  exchanges: 'One row per request of either side, with its response.',
  frames: 'One row per frame: messages, lines on stderr, HTTP details, events of the connection, telemetry.',
  problems: 'One row per problem of each frame. A frame in many problems is in the most severe of them.',
} as const;

const STATUS_MEANINGS = {
  pending: 'no response yet, or never',
  ok: 'a result',
  error: 'a JSON-RPC error',
  'tool-error': 'a result with `isError`',
  cancelled: 'the client cancelled it',
  timeout: 'the client stopped waiting',
  lost: 'the server or its HTTP exchange ended first',
  refused: 'refused as expected, such as the probe of the protocol version',
} as const;

function columnRow({ name, type, about }: TableColumn): string {
  return `| \`${name}\` | ${type} | ${about} |`;
}
