import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { usageError } from '@/proxy/cli/exit-code';
import { installLine, moduleFolders } from '@/proxy/files/module-folders';

export type DuckDb = typeof import('@duckdb/node-api');

const PACKAGE = '@duckdb/node-api';

/**
 * Loads DuckDB, which is not part of mcp-inspect, from one of these folders of packages. Throws an ExitError that says
 * how to install it.
 */
export async function loadDuckDb(folders: readonly string[] = moduleFolders()): Promise<DuckDb> {
  const folder = folders.map((modules) => join(modules, PACKAGE)).find((path) => existsSync(path));
  if (folder === undefined)
    throw usageError(`\`query\` needs DuckDB, which is not installed: run \`${installLine(PACKAGE)}\`.`);
  try {
    return (await import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(folder)).href)) as DuckDb;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw usageError(`DuckDB could not be loaded: ${reason}. Install it again: \`${installLine(PACKAGE)}\`.`);
  }
}
