import { resolve } from 'node:path';
import { usageError } from '@/proxy/cli/exit-code';
import type { GivenOptions } from '@/proxy/cli/grammar';
import { writeReport } from '@/proxy/files/private-files';

/**
 * Writes a report to each file of an option, such as `--junit`. Calls `format` only if there is one. Throws an
 * ExitError for a path that can’t be written.
 */
export async function writeReports(given: GivenOptions, option: string, format: () => string): Promise<void> {
  for (const path of given.get(option) ?? []) {
    await writeReport(resolve(path), format()).catch((error: NodeJS.ErrnoException) => {
      throw usageError(`The file \`${path}\` can’t be written (${error.code}): check the path after \`--${option}\`.`);
    });
  }
}
