import { resolve } from 'node:path';
import { EXIT, ExitError, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type RunCommand, readCountOption } from '@/proxy/cli/grammar';
import { readSeconds } from '@/proxy/cli/seconds';
import { fileAccess } from '@/proxy/commands/shared/file-access';
import { chosenOf, type Limit, moreText, readLimit } from '@/proxy/commands/shared/limit';
import { type OutputChoice, type OutputForms, readOutputChoice } from '@/proxy/commands/shared/output-options';
import { NONE_SINCE, recordingFiles } from '@/proxy/commands/shared/recording-files';
import { untilInterrupted } from '@/proxy/commands/shared/until-interrupted';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { writeErrorReason } from '@/proxy/files/private-files';
import { withTemporaryFolder } from '@/proxy/files/temporary-folder';
import { loadDuckDb } from './load-duckdb';
import { recordingTables } from './recording-tables';
import { fileResult, ParquetResult, RESULT_FORMS, type ResultOutput, type ResultWriter } from './result-writers';
import { type QueriedRecording, runQuery } from './run-query';
import { TableCache } from './table-cache';

/** Memory of DuckDB without `--memory`, in MB. */
const MEMORY_MB = 1000;
/** Most that `--memory` can give. */
const MOST_MEMORY_MB = 1_000_000;

/** Answers a question in SQL over the tables of recordings. */
export const run: RunCommand = (context) =>
  untilInterrupted(async (signal) => {
    const { request, status } = context;
    const [sql, ...words] = request.words;
    const { given } = request;
    const [timeout, memory] = [lastValue(given, 'timeout'), lastValue(given, 'memory')];
    const limits = {
      memoryMb: memory === undefined ? MEMORY_MB : readCountOption('memory', memory, MOST_MEMORY_MB),
      timeoutMs: timeout === undefined ? undefined : readSeconds('timeout', timeout),
    };
    const output = readOutputChoice(given, FORMS, 'table');
    const limit = readLimit(given);
    const whole = writerOf(output, context);
    const writer = given.has('limit') ? limited(whole, limit, context) : whole;
    const duckdb = await loadDuckDb();
    const ask = (recordings: readonly QueriedRecording[], sink?: ResultWriter) =>
      withTemporaryFolder((temporary) => runQuery(duckdb, sql!, recordings, { ...limits, temporary, signal }, sink));
    // A mistake in the statement is said before recordings are read, which can take long, and without any.
    await ask([]);
    const files = await recordingFiles(words, fileAccess(context, signal));
    const tables = await recordingTables(files, new TableCache(ownRecordingsFolder()), context, signal);
    if (files.length === 0) throw usageError(NONE_SINCE);
    if (tables.length === 0) throw usageError('None of the recordings can be read.');
    status.show('Running the query');
    try {
      await ask(tables, writer);
      status.end();
      await writer.end();
    } catch (error) {
      writer.discard?.();
      throw error instanceof ExitError || !isSystemError(error) ? error : unwritable(output.out ?? 'stdout', error);
    } finally {
      status.end();
    }
    return EXIT.fine;
  });

/** Forms of a result, by the ends of file names. */
const FORMS: OutputForms = {
  table: ['.txt'],
  json: ['.json', '.jsonl', '.ndjson'],
  csv: ['.csv'],
  md: ['.md'],
  parquet: ['.parquet'],
};

/** Returns the writer that the options ask for: a table on stdout, unless they name another form or a file. */
function writerOf({ format, out }: OutputChoice, { printNote }: CommandContext): ResultWriter {
  if (format === 'parquet') {
    if (out === undefined) throw usageError('`--format parquet` needs a file: add `--out NAME.parquet`.');
    return new ParquetResult(resolve(out));
  }
  if (out !== undefined) return fileResult(resolve(out), format, printNote);
  const { stdout } = process;
  const output: ResultOutput = {
    // An error of stdout ends the process.
    print: async (text) => {
      if (text !== '' && !stdout.write(text)) await new Promise<void>((resolve) => void stdout.once('drain', resolve));
    },
    printNote,
    width: stdout.isTTY ? stdout.columns : undefined,
  };
  return RESULT_FORMS[format]!(output);
}

/** Passes on only some rows. */
function limited(writer: ResultWriter, limit: Limit, { printNote }: CommandContext): ResultWriter {
  let [count, passesOn] = [0, true];
  return {
    begin: (columns) => writer.begin(columns),
    discard: () => writer.discard?.(),
    async addRows(rows) {
      const chosen = rows.slice(...chosenOf(limit, count, rows.length));
      count += rows.length;
      if (chosen.length > 0) passesOn = await writer.addRows(chosen);
      return passesOn && count <= limit.last;
    },
    async end() {
      await writer.end();
      if (passesOn && count > limit.last) printNote(`mcp-inspect: ${moreText(limit)}`);
    },
  };
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function unwritable(path: string, error: unknown): ExitError {
  return usageError(`Could not write \`${path}\`: ${writeErrorReason(error)}. Choose another file.`);
}
