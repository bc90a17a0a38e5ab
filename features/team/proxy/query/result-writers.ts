import type { ColumnType, Value } from '@/features/team/lib/tables/columns';
import { formatCount } from '@/lib/wire/format';
import { plainText } from '@/proxy/cli/plain-text';
import { table } from '@/proxy/cli/table';
import { OutputFile } from '@/proxy/files/output-file';
import { type Cell, cellJson, cellText } from './cells';
import { ParquetFile } from './parquet-file';
import type { ResultColumn, ResultSink } from './run-query';

/** The outlet of a result. */
export interface ResultOutput {
  /** Writes text to stdout. Resolves once the reader can take more. */
  print(text: string): Promise<void>;
  /** Writes a line to stderr. */
  printNote(line: string): void;
  /** Columns of the terminal; undefined if stdout is not one. */
  readonly width: number | undefined;
}

export interface ResultWriter extends ResultSink {
  /** Writes the rest. Not called after an error. */
  end(): Promise<void>;
  /** Deletes what was written to a file, unless it is whole. */
  discard?(): void;
}

/** Rows of the longest table. All rows of a table are held, to align its columns. */
export const TABLE_ROWS = 1000;

/** Forms of results, by name. */
export const RESULT_FORMS: Readonly<Record<string, (output: ResultOutput) => ResultWriter>> = {
  table: tableWriter,
  json: (output) => lineWriter(output, () => '', jsonLine),
  csv: (output) =>
    lineWriter(
      output,
      (names) => csvLine(names),
      (row) => csvLine(row.map(cellText)),
    ),
  md: (output) =>
    lineWriter(
      output,
      (names) => `${markdownLine(names)}|${' --- |'.repeat(names.length)}\n`,
      (row) => markdownLine(row.map(cellText)),
    ),
};

function tableWriter({ print, printNote, width }: ResultOutput): ResultWriter {
  let names: readonly string[] = [];
  const rows: string[][] = [];
  let isCut = false;
  return {
    begin(columns) {
      names = columns.map(({ name }) => name);
    },
    addRows(added) {
      for (const row of added.slice(0, TABLE_ROWS - rows.length)) rows.push(row.map(cellText));
      isCut ||= rows.length === TABLE_ROWS && added.length > 0;
      return rows.length < TABLE_ROWS;
    },
    async end() {
      await print(`${table(names, rows, width)}\n`);
      if (isCut)
        printNote(`mcp-inspect: A table has at most ${formatCount(TABLE_ROWS)} rows. Use \`--format csv\` for all.`);
    },
  };
}

/** Writes rows as they come, one line each. On a terminal, control characters are replaced. */
function lineWriter(
  { print, width }: ResultOutput,
  headOf: (names: readonly string[]) => string,
  lineOf: (row: readonly Cell[], names: readonly string[]) => string,
): ResultWriter {
  let names: readonly string[] = [];
  let head = '';
  const safe = (text: string) => (width === undefined ? text : plainText(text));
  return {
    begin(columns) {
      names = columns.map(({ name }) => name);
      head = headOf(names);
    },
    async addRows(rows) {
      const text = head + rows.map((row) => lineOf(row, names)).join('');
      head = '';
      await print(safe(text));
      return true;
    },
    end: () => print(safe(head)),
  };
}

function jsonLine(row: readonly Cell[], names: readonly string[]): string {
  return `{${row.map((cell, at) => `${JSON.stringify(names[at])}:${cellJson(cell)}`).join(',')}}\n`;
}

/** A line as RFC 4180 has it. */
function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
}

function markdownLine(cells: readonly string[]): string {
  return `|${cells.map((cell) => ` ${markdownCell(cell)} |`).join('')}\n`;
}

/** Escapes what would end a cell or begin HTML. */
function markdownCell(cell: string): string {
  return plainText(cell.replace(/\s+/g, ' ').trim()).replace(/[\\|<&`*_[\]]/g, '\\$&');
}

/** Writes a result in one of {@link RESULT_FORMS} to a file, which appears once it is whole. */
export function fileResult(path: string, form: string, printNote: ResultOutput['printNote']): ResultWriter {
  let output: OutputFile | undefined;
  const writer = RESULT_FORMS[form]!({
    print: async (text) => {
      output ??= new OutputFile(path);
      output.write(Buffer.from(text));
    },
    printNote,
    width: undefined,
  });
  return {
    begin: (columns) => writer.begin(columns),
    addRows: (rows) => writer.addRows(rows),
    async end() {
      await writer.end();
      output?.finish();
      output = undefined;
    },
    discard: () => output?.discard(),
  };
}

/** Writes a result to a Parquet file, which appears once it is whole. */
export class ParquetResult implements ResultWriter {
  readonly #path: string;
  #file: { readonly output: OutputFile; readonly parquet: ParquetFile } | undefined;
  #columns: readonly ResultColumn[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  begin(columns: readonly ResultColumn[]): void {
    this.#columns = columns;
    const output = new OutputFile(this.#path);
    const described = columns.map(({ name, type }) => ({ name, type, about: '' }));
    this.#file = { output, parquet: new ParquetFile(described, (bytes) => output.write(bytes), new Set()) };
  }

  addRows(rows: readonly (readonly Cell[])[]): boolean {
    for (const row of rows) {
      this.#file!.parquet.addRow(
        Object.fromEntries(this.#columns.map(({ name, type }, at) => [name, parquetValue(row[at]!, type)])),
      );
    }
    return true;
  }

  async end(): Promise<void> {
    this.#file!.parquet.end();
    this.#file!.output.finish();
    this.#file = undefined;
  }

  /** Deletes what was written, unless it is whole. */
  discard(): void {
    this.#file?.output.discard();
    this.#file = undefined;
  }
}

function parquetValue(cell: Cell, type: ColumnType): Value | bigint {
  if (cell === null) return undefined;
  if (type === 'text') return cellText(cell);
  if (type === 'boolean') return cell as boolean;
  if (typeof cell === 'object' && 'micros' in cell) return cell.micros;
  if (type === 'bigint') return BigInt(cell as number | bigint);
  return Number(cellText(cell));
}
