// Bundles the worker for direct connections into public/direct, outside Next's graph. The proxy serves it under a fixed
// name with a policy of its own. The page loads it with the first direct connection.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { notePackages } from './licenses.mjs';

const root = join(import.meta.dirname, '..');
const outdir = join(root, 'public/direct');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

await rm(outdir, { recursive: true, force: true });
const built = await build({
  entryPoints: { worker: join(root, 'lib/direct/worker.ts') },
  outdir,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2023',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  define: { MCP_INSPECT_VERSION: JSON.stringify(version) },
});
notePackages('direct', [built]);
console.log('The worker for direct connections in public/direct');
