import { join } from 'node:path';
import { FRAME_TABLES, TABLES } from '@/features/team/lib/tables/columns';
import { readNow } from '@/proxy/files/existing-files';
import { makeOutputFolder, OutputFile } from '@/proxy/files/output-file';
import { tablePath } from './build-tables';
import { ParquetFile } from './parquet-file';
import type { QueriedRecording } from './run-query';

/** Bytes copied at a time. */
const COPIED_BYTES = 4 * 1024 * 1024;
/** Characters of the longest name of a file, without its ending. */
const NAME_CHARS = 100;

/**
 * Writes the tables of a recording into a folder per table: `frames/ID.parquet` and so on. Replaces files of the same
 * recording. Throws the system's error.
 */
export function exportTables({ folder, row }: QueriedRecording, out: string): void {
  const name = `${fileName(row.recording ?? '')}.parquet`;
  for (const table of FRAME_TABLES) {
    makeOutputFolder(join(out, table));
    writeFile(join(out, table, name), (write) =>
      readNow(tablePath(folder, table), ({ size, read }) => {
        for (let at = 0; at < size; at += COPIED_BYTES) write(read(at, Math.min(COPIED_BYTES, size - at)));
      }),
    );
  }
  makeOutputFolder(join(out, 'recordings'));
  writeFile(join(out, 'recordings', name), (write) => {
    const parquet = new ParquetFile(TABLES.recordings, write);
    parquet.addRow(row);
    parquet.end();
  });
}

function writeFile(path: string, fill: (write: (bytes: Uint8Array) => void) => void): void {
  const output = new OutputFile(path);
  try {
    fill((bytes) => output.write(bytes));
    output.finish();
  } catch (error) {
    output.discard();
    throw error;
  }
}

/** Makes a file name of an id that anybody may have written. */
function fileName(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, NAME_CHARS) || '_';
}
