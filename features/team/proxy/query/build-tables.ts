import { join } from 'node:path';
import type { TableSink } from '@/features/team/lib/tables/builder-options';
import { FRAME_TABLES, type FrameTable, type RowOf, TABLES } from '@/features/team/lib/tables/columns';
import { TableBuilder } from '@/features/team/lib/tables/table-builder';
import type { SkippedChecks } from '@/lib/problems/protocol-state';
import { recordingLacks } from '@/lib/recording/read-header';
import type { TolerantReader } from '@/lib/recording/tolerant-reader';
import { trueClient } from '@/lib/wire/client-profile';
import { LIMITS } from '@/lib/wire/limits';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import { OutputFile } from '@/proxy/files/output-file';
import { openFile } from '@/proxy/recorder/open-file';
import { lossText, readPortions } from '@/proxy/recorder/read-traffic';
import { ParquetFile } from './parquet-file';

/** A recording whose tables are built. */
export interface BuildJob {
  readonly path: string;
  /** Folder of the tables, which exists. */
  readonly folder: string;
  readonly skippedChecks?: SkippedChecks | undefined;
}

/** Reports of a building that is under way. */
export interface BuildHooks {
  onProgress(progress: ReadingProgress): void;
  /** Called before the result in a frame is checked against its tool's schema, which may take forever, and after. */
  onSchemaCheck?(seq: number | undefined): void;
}

/** The row of a recording, and what is missing in it, in sentences. */
export interface BuiltTables {
  readonly row: RowOf<'recordings'>;
  readonly lacks?: string;
}

/** Returns the path of a table in the folder of a recording's tables. */
export function tablePath(folder: string, table: FrameTable): string {
  return join(folder, `${table}.parquet`);
}

/**
 * Reads a recording and writes its tables into a folder. Rejects with a RecordingError if not a single frame can be
 * read, and with the system's error.
 */
export async function buildTables(job: BuildJob, hooks: BuildHooks): Promise<BuiltTables> {
  const built = await buildOnce(job, hooks, false);
  // Only the end of a recording tells that frames are missing.
  return built === 'has-gaps' ? ((await buildOnce(job, hooks, true)) as BuiltTables) : built;
}

async function buildOnce(job: BuildJob, hooks: BuildHooks, knowsGaps: boolean): Promise<BuiltTables | 'has-gaps'> {
  const opened = await openFile(job.path);
  // A plain file may be of any length, because nothing is held. A packed one could be a bomb.
  const mostBytes = Math.max(LIMITS.recordingBytes, opened.length);
  const { reader, portions } = readPortions(opened, hooks.onProgress, undefined, mostBytes);
  const files = new TableFiles(job.folder);
  try {
    let builder: TableBuilder | undefined;
    const begun = () => {
      builder ??= newBuilder(reader, opened.name, files, job, hooks, knowsGaps);
      return builder;
    };
    for await (const frames of portions) if (frames.length > 0) begun().addFrames(frames);
    if (!knowsGaps && !hadGaps(reader) && hasGaps(reader)) {
      files.discard();
      return 'has-gaps';
    }
    begun().end();
    files.finish();
    const row = recordingRow(reader, opened, begun());
    const lacks = lossText(reader);
    return { row, ...(lacks !== undefined && { lacks }) };
  } catch (error) {
    files.discard();
    throw error;
  }
}

function newBuilder(
  { reader: { header } }: TolerantReader,
  name: string,
  files: TableFiles,
  { skippedChecks }: BuildJob,
  { onSchemaCheck }: BuildHooks,
  knowsGaps: boolean,
): TableBuilder {
  return new TableBuilder(
    {
      recording: header?.id || name,
      startUs: header?.at ? Date.parse(header.at) * 1000 : undefined,
      hasGaps: knowsGaps || lacksFrames(header?.lacks),
      skippedChecks,
      ...(onSchemaCheck && { onSchemaCheck }),
    },
    files,
  );
}

function hadGaps({ reader }: TolerantReader): boolean {
  return lacksFrames(reader.header?.lacks);
}

function hasGaps({ reader, report }: TolerantReader): boolean {
  return lacksFrames(recordingLacks(report, reader.header?.lacks));
}

function lacksFrames(lacks: ReturnType<typeof recordingLacks>): boolean {
  return lacks?.damaged !== undefined || lacks?.missing !== undefined;
}

function recordingRow(
  { reader: { header }, report, failure }: TolerantReader,
  { name, length }: { readonly name: string; readonly length: number },
  builder: TableBuilder,
): RowOf<'recordings'> {
  const { facts } = builder;
  const own = header && trueClient(header);
  return {
    recording: header?.id || name,
    file: name,
    time: header?.at ? Date.parse(header.at) * 1000 : undefined,
    duration_ms: builder.lastUs / 1000,
    frames: builder.frames,
    bytes: length,
    writer: header?.by || undefined,
    mode: header?.mode,
    complete: failure === undefined && report?.complete === true,
    entry: header?.name || undefined,
    server: facts.server,
    server_version: facts.serverVersion,
    protocol: facts.protocol,
    transport: header?.transport === 'auto' ? facts.transport : (header?.transport ?? facts.transport),
    host: own ? own.name : facts.host,
    host_version: own ? own.version : facts.hostVersion,
    connected_as: header?.as,
    author: undefined,
    git_commit: undefined,
    ci: undefined,
    tags: undefined,
  };
}

/** The files of a recording's tables. */
class TableFiles implements TableSink {
  readonly #files: ReadonlyMap<FrameTable, { readonly output: OutputFile; readonly parquet: ParquetFile }>;
  #isOver = false;

  constructor(folder: string) {
    this.#files = new Map(
      FRAME_TABLES.map((table) => {
        const output = new OutputFile(tablePath(folder, table));
        return [table, { output, parquet: new ParquetFile(TABLES[table], (bytes) => output.write(bytes)) }] as const;
      }),
    );
  }

  addRow<T extends FrameTable>(table: T, row: RowOf<T>): void {
    this.#files.get(table)!.parquet.addRow(row);
  }

  finish(): void {
    for (const { output, parquet } of this.#files.values()) {
      parquet.end();
      output.finish();
    }
    this.#isOver = true;
  }

  /** Deletes what was written. */
  discard(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { output } of this.#files.values()) output.discard();
  }
}
