import { accessSync, constants, lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { usageError } from '@/proxy/cli/exit-code';
import type { ParsedOptions } from '@/proxy/cli/grammar';
import { writeReport } from '@/proxy/files/private-files';

/**
 * Writes a report to each file of an option, such as `report.junit`. Calls `format` only if there is one. Throws an
 * ExitError for a path that can’t be written.
 */
export async function writeReports(given: ParsedOptions, option: string, format: () => string): Promise<void> {
  for (const path of given.get(option) ?? []) {
    await writeReport(resolve(path), format()).catch((error: NodeJS.ErrnoException) => {
      throw usageError(
        `The file \`${path}\` can’t be written (${error.code}): check the path after \`--${option.replace('.', ' ')}\`.`,
      );
    });
  }
}

/** Checks, before the work that a report is about, that it can be written. Throws an ExitError. */
export function checkReports(given: ParsedOptions, option: string): void {
  for (const path of given.get(option) ?? []) requireWritable(path, option);
}

/** Throws an ExitError if the file of an option can’t be written, as far as that is known before. */
export function requireWritable(path: string, option: string): void {
  const wrong = unwritable(resolve(path));
  if (wrong === undefined) return;
  throw usageError(
    `The file \`${path}\` can’t be written (${wrong}): check the path after \`--${option.replace('.', ' ')}\`.`,
  );
}

/** Returns why a file can’t be written, as far as that is known before. */
function unwritable(path: string): string | undefined {
  try {
    accessSync(dirname(path), constants.W_OK);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found && !found.isFile()) return found.isDirectory() ? 'it is a directory' : 'it is not a file';
    if (found) accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
