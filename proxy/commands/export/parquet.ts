import { resolve } from 'node:path';
import { countOf } from '@/lib/wire/format';
import { isFailure } from '@/lib/wire/lifecycle';
import { EXIT, ExitError, usageError } from '@/proxy/cli/exit-code';
import { lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { writeErrorReason } from '@/proxy/files/private-files';
import { exportTables } from '@/proxy/query/export-tables';
import { recordingFiles } from '@/proxy/query/recording-files';
import { recordingTables } from '@/proxy/query/recording-tables';
import { TableCache } from '@/proxy/query/table-cache';
import { readBucketOptions } from '../shared/bucket-options';
import { untilInterrupted } from '../shared/until-interrupted';

/** Writes the tables of recordings as Parquet files. */
export const exportParquet: RunCommand = (context) =>
  untilInterrupted(async (signal) => {
    const { request, version, printText } = context;
    const out = lastValue(request.given, 'parquet')!;
    const access = { version, env: process.env, signal, options: readBucketOptions(request.given) };
    const files = await recordingFiles(request.words, access);
    const tables = await recordingTables(files, new TableCache(ownRecordingsFolder()), context, signal);
    if (tables.length === 0) throw usageError('None of the recordings can be read.');
    try {
      for (const each of tables) exportTables(each, resolve(out));
    } catch (error) {
      if (isFailure(error) || error instanceof ExitError) throw error;
      throw usageError(`Could not write to \`${out}\`: ${writeErrorReason(error)}. Choose another folder.`);
    }
    printText(`Wrote the tables of ${countOf(tables.length, 'recording')} to ${out}`);
    return EXIT.fine;
  });
