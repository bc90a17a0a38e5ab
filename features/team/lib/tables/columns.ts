/** Version of the tables. Tables of another version are built again; Parquet files name it in their metadata. */
export const TABLES_VERSION = 1;

/** Type of a column. Any column but those in {@link KEY_COLUMNS} may be NULL. */
export type ColumnType = 'text' | 'integer' | 'bigint' | 'double' | 'boolean' | 'timestamp';

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Meaning and unit, for docs/query.md. */
  readonly about: string;
}

/** Columns that are never NULL. */
export const KEY_COLUMNS: ReadonlySet<string> = new Set(['recording', 'frame']);

const RECORDING = { name: 'recording', type: 'text', about: 'id of the recording' } as const;

/** The tables of recordings: one row per frame, request, finding and recording. */
export const TABLES = {
  frames: [
    RECORDING,
    { name: 'frame', type: 'integer', about: 'number of the frame, from 1' },
    { name: 'time', type: 'timestamp', about: 'when it was seen, UTC' },
    { name: 'direction', type: 'text', about: '`to-server` or `to-client`' },
    { name: 'channel', type: 'text', about: '`protocol`, `stderr`, `http`, `lifecycle`, `otel` …' },
    { name: 'kind', type: 'text', about: '`request`, `response`, `notification`, `error`, `batch`, `junk` …' },
    { name: 'method', type: 'text', about: 'method; of a paired response, that of its request' },
    { name: 'name', type: 'text', about: 'tool, prompt or URI; of a paired response, that of its request' },
    { name: 'id', type: 'text', about: 'JSON-RPC id as JSON, such as `1` or `"1"`' },
    { name: 'status', type: 'text', about: 'outcome of a request or response, see below' },
    { name: 'ms', type: 'double', about: 'milliseconds between request and response, on both, without time on hold' },
    { name: 'bytes', type: 'integer', about: 'size in bytes' },
    { name: 'request', type: 'integer', about: 'frame of the request that it answers, reports on or belongs to' },
  ],
  exchanges: [
    RECORDING,
    { name: 'frame', type: 'integer', about: 'frame of the request' },
    { name: 'response_frame', type: 'integer', about: 'frame of its first response; of a task, of its result' },
    { name: 'time', type: 'timestamp', about: 'when the request was seen, UTC' },
    { name: 'direction', type: 'text', about: '`to-server`, or `to-client` for requests of the server' },
    { name: 'method', type: 'text', about: 'method' },
    { name: 'name', type: 'text', about: 'tool, prompt or URI' },
    { name: 'id', type: 'text', about: 'JSON-RPC id as JSON' },
    { name: 'status', type: 'text', about: 'outcome, see below' },
    { name: 'failed', type: 'boolean', about: 'status is `error`, `tool-error`, `timeout` or `lost`' },
    {
      name: 'ms',
      type: 'double',
      about: 'milliseconds to the response, or to the end of the task, at the tap, without time on hold',
    },
    { name: 'progress', type: 'integer', about: 'progress notifications' },
    { name: 'task', type: 'boolean', about: 'the request started a task' },
    { name: 'continues', type: 'integer', about: 'frame of the first request, if this one repeats or continues it' },
    { name: 'bytes', type: 'integer', about: 'size of the request in bytes' },
    { name: 'response_bytes', type: 'integer', about: 'size of the response in bytes' },
    { name: 'error_code', type: 'double', about: '`code` of a JSON-RPC error' },
    { name: 'error', type: 'text', about: 'message of an error, or text of a tool’s error; its first 500 characters' },
    {
      name: 'args',
      type: 'text',
      about: '`arguments` as JSON, with secrets masked; NULL if that is longer than 4,096 characters',
    },
  ],
  problems: [
    RECORDING,
    { name: 'frame', type: 'integer', about: 'frame with the problem' },
    { name: 'problem', type: 'integer', about: 'number of the problem in its recording; several frames can have it' },
    { name: 'rule', type: 'text', about: 'rule of [rules.md](rules.md)' },
    { name: 'severity', type: 'text', about: '`error`, `warning` or `info`' },
    { name: 'title', type: 'text', about: 'title of the rule' },
    { name: 'message', type: 'text', about: 'the finding' },
    { name: 'path', type: 'text', about: 'JSON Pointer of the field' },
  ],
  recordings: [
    RECORDING,
    { name: 'file', type: 'text', about: 'name of the file' },
    { name: 'time', type: 'timestamp', about: 'start, UTC' },
    { name: 'duration_ms', type: 'double', about: 'milliseconds from the start to the last frame' },
    { name: 'frames', type: 'bigint', about: 'number of frames' },
    { name: 'bytes', type: 'bigint', about: 'size of the file in bytes' },
    { name: 'writer', type: 'text', about: 'program that wrote it, such as `mcp-inspect/0.1.0`' },
    { name: 'mode', type: 'text', about: '`client`, `tap`, `import` or `check`' },
    { name: 'complete', type: 'boolean', about: 'it has an end, and no frame is missing' },
    { name: 'entry', type: 'text', about: 'name of the server in the header' },
    { name: 'server', type: 'text', about: 'name that the server gave' },
    { name: 'server_version', type: 'text', about: 'version that the server gave' },
    { name: 'protocol', type: 'text', about: 'negotiated protocol version' },
    { name: 'transport', type: 'text', about: '`stdio`, `http` or `sse`' },
    { name: 'host', type: 'text', about: 'name that the client gave; that of the writer if `connected_as` is set' },
    { name: 'host_version', type: 'text', about: 'version that the client gave, likewise' },
    { name: 'connected_as', type: 'text', about: 'host whose name mcp-inspect borrowed (`--as`)' },
    { name: 'author', type: 'text', about: 'who pushed it; only from a bucket' },
    { name: 'git_commit', type: 'text', about: 'git commit it was pushed from; only from a bucket' },
    { name: 'ci', type: 'text', about: 'CI service it was pushed from; only from a bucket' },
    { name: 'tags', type: 'text', about: 'tags of the push, separated by spaces; only from a bucket' },
  ],
} as const satisfies Readonly<Record<string, readonly TableColumn[]>>;

export type TableName = keyof typeof TABLES;

/** Tables that are built from the frames of a recording. */
export type FrameTable = Exclude<TableName, 'recordings'>;
export const FRAME_TABLES = ['frames', 'exchanges', 'problems'] as const satisfies readonly FrameTable[];

interface ValueOf {
  readonly text: string;
  readonly integer: number;
  readonly bigint: number;
  readonly double: number;
  readonly boolean: boolean;
  /** Microseconds since 1970-01-01 UTC. */
  readonly timestamp: number;
}

/** A value of a row. undefined is NULL. */
export type Value = ValueOf[ColumnType] | undefined;

/** A row of a table. */
export type RowOf<T extends TableName> = {
  readonly [C in (typeof TABLES)[T][number] as C['name']]: ValueOf[C['type']] | undefined;
};

/** The view `calls`: what it takes from `exchanges`, for SQL and for docs/query.md. */
export const CALLS_VIEW = {
  columns: [
    'recording',
    'frame',
    'response_frame',
    'time',
    'name AS tool',
    'status',
    'failed',
    'ms',
    'progress',
    'task',
    'continues',
    'bytes',
    'response_bytes',
    'error_code',
    'error',
    'args',
  ],
  where: "method = 'tools/call' AND direction = 'to-server'",
} as const;
export const CALLS_SQL = `SELECT ${CALLS_VIEW.columns.join(', ')} FROM exchanges WHERE ${CALLS_VIEW.where}`;

/** Columns of every view, as `DESCRIBE` prints them. */
export function columnsOf(view: TableName | 'calls'): readonly TableColumn[] {
  if (view !== 'calls') return TABLES[view];
  return CALLS_VIEW.columns.map((column) => {
    const [from, to] = column.split(' AS ') as [string, string?];
    const known = TABLES.exchanges.find(({ name }) => name === from)!;
    return to === undefined ? known : { ...known, name: to, about: 'name of the tool' };
  });
}
