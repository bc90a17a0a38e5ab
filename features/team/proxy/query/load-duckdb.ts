import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { usageError } from '@/proxy/cli/exit-code';

export type DuckDb = typeof import('@duckdb/node-api');

const PACKAGE = '@duckdb/node-api';

/**
 * Loads DuckDB, which is not part of mcp-inspect: the package beside mcp-inspect, otherwise the one of the working
 * directory. Throws an ExitError that says how to install it.
 */
export async function loadDuckDb(from: readonly string[] = [import.meta.url, besideUrl()]): Promise<DuckDb> {
  const path = from.map(resolvedFrom).find((found) => found !== undefined);
  if (path === undefined)
    throw usageError(`\`query\` needs DuckDB, which is not installed: run \`npm install ${PACKAGE}\` in this folder.`);
  try {
    return (await import(pathToFileURL(path).href)) as DuckDb;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw usageError(`DuckDB could not be loaded: ${reason}. Install it again: \`npm install ${PACKAGE}\`.`);
  }
}

/** Address of a file in the working directory. */
function besideUrl(): string {
  return pathToFileURL(join(process.cwd(), 'query.js')).href;
}

function resolvedFrom(url: string): string | undefined {
  try {
    return createRequire(url).resolve(PACKAGE);
  } catch {
    return undefined;
  }
}
