import { join, resolve } from 'node:path';
import { countOf } from '@/lib/wire/format';
import { isFailure } from '@/lib/wire/lifecycle';
import { EXIT, ExitError, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import type { ExportForm } from '@/proxy/commands/export/masked-copies';
import type { OutputChoice } from '@/proxy/commands/shared/output-options';
import { writeErrorReason } from '@/proxy/files/private-files';
import { withTemporaryFolder } from '@/proxy/files/temporary-folder';
import { exportTables } from './export-tables';
import { recordingTables } from './recording-tables';
import { TableCache } from './table-cache';

/** Writes the tables of recordings as Parquet files. */
export function exportForm({ out }: OutputChoice, context: CommandContext): ExportForm {
  if (out === undefined) throw usageError('`--format parquet` needs a folder: add `--out FOLDER`.');
  let written = 0;
  return {
    async add(path, { shown, isNamed, remote }) {
      await withTemporaryFolder(async (folder) => {
        // The tables of a masked copy are nobody else’s.
        const cache = new TableCache(join(folder, 'recordings'));
        const { signal } = new AbortController();
        const [tables] = await recordingTables([{ path, shown, isNamed }], cache, context, signal);
        if (!tables) return;
        const pushed = await remote?.pushed();
        writeTables({ ...tables, row: { ...tables.row, ...pushed } }, out);
        written++;
      });
      return true;
    },
    async end() {
      if (written === 0) throw usageError('None of the recordings can be read.');
      context.printText(`Wrote the tables of ${countOf(written, 'recording')} to ${out}`);
      return EXIT.fine;
    },
  };
}

function writeTables(tables: Parameters<typeof exportTables>[0], out: string): void {
  try {
    exportTables(tables, resolve(out));
  } catch (error) {
    if (isFailure(error) || error instanceof ExitError) throw error;
    throw usageError(`Could not write to \`${out}\`: ${writeErrorReason(error)}. Choose another folder.`);
  }
}
