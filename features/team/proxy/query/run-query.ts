import {
  CALLS_SQL,
  type ColumnType,
  FRAME_TABLES,
  type FrameTable,
  type RowOf,
  TABLES,
  type Value,
} from '@/features/team/lib/tables/columns';
import { formatDuration } from '@/lib/wire/format';
import { EXIT, ExitError, usageError } from '@/proxy/cli/exit-code';
import { tablePath } from './build-tables';
import { type Cell, cellOf } from './cells';
import type { DuckDb } from './load-duckdb';
import { sqlFailureText } from './sql-failure';

/** The tables of one recording. */
export interface QueriedRecording {
  /** Folder of its Parquet files. */
  readonly folder: string;
  readonly row: RowOf<'recordings'>;
}

export interface QueryOptions {
  /** Most memory of DuckDB, in MiB. */
  readonly memoryMb: number;
  /** Folder for what does not fit into that memory. */
  readonly temporary: string;
  /** Milliseconds, after which the query is stopped. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

/** A column of a result. */
export interface ResultColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Takes a result: first its columns, then rows in portions. `addRows` returns false if it wants no more. */
export interface ResultSink {
  begin(columns: readonly ResultColumn[]): void;
  addRows(rows: readonly (readonly Cell[])[]): boolean | Promise<boolean>;
}

/** Milliseconds between two interrupts of a query that was stopped. */
const INTERRUPT_MS = 50;

/** Rows of one INSERT. */
const ROWS_AT_ONCE = 500;

const TABLES_DAMAGED =
  'The tables that were kept can’t be used: delete the folder `tables` in the data of mcp-inspect.';

/** Most bytes of DuckDB's temporary files. */
const TEMPORARY = '16GiB';

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'VARCHAR',
  integer: 'INTEGER',
  bigint: 'BIGINT',
  double: 'DOUBLE',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMP',
};

/**
 * Runs one SELECT over the views of recordings. DuckDB may read the Parquet files of these recordings and nothing else:
 * no other files, no network, no extensions, no settings. Throws an ExitError for an error in the statement, a timeout
 * and an abort. Without a sink, only checks the statement; without recordings, the views are empty.
 */
export async function runQuery(
  duckdb: DuckDb,
  sql: string,
  recordings: readonly QueriedRecording[],
  options: QueryOptions,
  sink?: ResultSink,
): Promise<void> {
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryMb}MiB`,
    temp_directory: options.temporary,
    max_temp_directory_size: TEMPORARY,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_unsigned_extensions: 'false',
    errors_as_json: 'true',
  });
  const connection = await instance.connect();
  let stopped: ExitError | undefined;
  let interrupting: NodeJS.Timeout | undefined;
  const stop = (error: ExitError) => {
    stopped ??= error;
    connection.interrupt();
    // DuckDB forgets an interrupt that comes before a statement runs.
    interrupting ??= setInterval(() => connection.interrupt(), INTERRUPT_MS);
  };
  const onAbort = () => stop(new ExitError(EXIT.interrupted, 'The query was interrupted.'));
  options.signal.addEventListener('abort', onAbort);
  if (options.signal.aborted) onAbort();
  const { timeoutMs } = options;
  const late = () =>
    stop(new ExitError(EXIT.timeout, `The query took longer than ${formatDuration(timeoutMs! * 1000)}.`));
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
  try {
    await prepareViews(connection, recordings).catch((error: unknown) => {
      throw stopped ?? usageError(`${sqlFailureText('', error)} ${TABLES_DAMAGED}`);
    });
    await runSelect(duckdb, connection, sql, sink, () => stopped);
  } finally {
    clearTimeout(timer);
    clearInterval(interrupting);
    options.signal.removeEventListener('abort', onAbort);
    connection.closeSync();
    instance.closeSync();
  }
}

type Connection = InstanceType<DuckDb['DuckDBConnection']>;

/** Makes the views, then takes away every other right. */
async function prepareViews(connection: Connection, recordings: readonly QueriedRecording[]): Promise<void> {
  const pathsOf = (table: FrameTable) => recordings.map(({ folder }) => tablePath(folder, table));
  await connection.run(`SET allowed_paths = ${listOf(FRAME_TABLES.flatMap(pathsOf))}`);
  for (const table of FRAME_TABLES) {
    if (recordings.length === 0) await createTable(connection, table);
    else await connection.run(`CREATE VIEW ${table} AS SELECT * FROM read_parquet(${listOf(pathsOf(table))})`);
  }
  await connection.run(`CREATE VIEW calls AS ${CALLS_SQL}`);
  await createTable(connection, 'recordings');
  for (let at = 0; at < recordings.length; at += ROWS_AT_ONCE) {
    const rows = recordings.slice(at, at + ROWS_AT_ONCE).map(({ row }) => {
      return `(${TABLES.recordings.map(({ name, type }) => literal(row[name], type)).join(', ')})`;
    });
    await connection.run(`INSERT INTO recordings VALUES ${rows.join(', ')}`);
  }
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}

async function createTable(connection: Connection, table: FrameTable | 'recordings'): Promise<void> {
  const columns = TABLES[table].map(({ name, type }) => `"${name}" ${SQL_TYPES[type]}`);
  await connection.run(`CREATE TABLE ${table} (${columns.join(', ')})`);
}

function listOf(paths: readonly string[]): string {
  return `[${paths.map(quoted).join(', ')}]`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function literal(value: Value, type: ColumnType): string {
  if (value === undefined) return 'NULL';
  if (type === 'timestamp') return `make_timestamp(${Math.round(value as number)})`;
  return typeof value === 'string' ? quoted(value.replaceAll('\0', '')) : String(value);
}

async function runSelect(
  duckdb: DuckDb,
  connection: Connection,
  sql: string,
  sink: ResultSink | undefined,
  stopped: () => ExitError | undefined,
): Promise<void> {
  /** Runs a part of the query, whose errors are those of the statement. */
  const run = async <T>(part: () => Promise<T>): Promise<T> => {
    const done = await part().catch((error: unknown) => {
      throw stopped() ?? usageError(sqlFailureText(sql, error));
    });
    const end = stopped();
    if (end) throw end;
    return done;
  };
  const statements = await run(() => connection.extractStatements(sql));
  if (statements.count !== 1) throw usageError(ONE_SELECT);
  const statement = await run(() => statements.prepare(0));
  if (statement.statementType !== duckdb.StatementType.SELECT) throw usageError(ONE_SELECT);
  if (statement.parameterCount > 0) throw usageError('A query has no parameters. Write their values into it.');
  if (!sink) return;
  const result = await run(() => statement.stream());
  sink.begin(
    result.deduplicatedColumnNames().map((name, at) => {
      return { name, type: RESULT_TYPES.get(duckdb.DuckDBTypeId[result.columnTypeId(at)]) ?? 'text' };
    }),
  );
  const portions = result.yieldRows();
  for (;;) {
    const { value: rows, done } = await run(() => portions.next());
    if (done || !(await sink.addRows(rows.map((row) => row.map(cellOf))))) return;
  }
}

const ONE_SELECT = 'A query is one SELECT statement. It can’t change anything, so leave out other statements.';

/** Types of results by DuckDB's name. All others are written as text. */
const RESULT_TYPES: ReadonlyMap<string | undefined, ColumnType> = new Map([
  ['BOOLEAN', 'boolean'],
  ...['TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT'].map((name) => [name, 'integer'] as const),
  ...['UINTEGER', 'BIGINT'].map((name) => [name, 'bigint'] as const),
  ...['FLOAT', 'DOUBLE', 'DECIMAL', 'HUGEINT'].map((name) => [name, 'double'] as const),
  ['TIMESTAMP', 'timestamp'],
]);
