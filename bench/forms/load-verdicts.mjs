// Bundles verdicts.ts, which is TypeScript and of the page's code, for Node.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** What our checker and ajv say of values of these tools. */
export async function comparedVerdicts(tools) {
  const outfile = join(root, 'node_modules/.cache/mcp-inspect/verdicts.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'verdicts.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    alias: { '@': root },
    logLevel: 'warning',
  });
  const { compareVerdicts } = await import(pathToFileURL(outfile).href);
  return compareVerdicts(tools);
}
