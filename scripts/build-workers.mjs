// Bundles the page's workers, and those of features, into public/workers, outside Next's graph. The page loads one when
// it first needs it.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'rolldown';
import { featureWorkers } from './feature-workers.mjs';
import { leanPackages } from './lean-packages.mjs';
import { notePackages } from './licenses.mjs';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const outdir = join(root, 'public/workers');

await rm(outdir, { recursive: true, force: true });
const built = await build({
  input: {
    ...Object.fromEntries(featureWorkers().map(({ name, path }) => [name, join(root, path)])),
    highlight: join(root, 'lib/highlight/worker.ts'),
    pdf: join(root, 'lib/pdf/worker.ts'),
    problems: join(root, 'lib/problems/worker.ts'),
    schema: join(root, 'lib/schema/worker.ts'),
    regex: join(root, 'lib/filter/worker.ts'),
    share: join(root, 'lib/sharing/worker.ts'),
  },
  cwd: root,
  platform: 'browser',
  tsconfig: true,
  plugins: [leanPackages],
  transform: { target: 'es2022', define: { MCP_INSPECT_VERSION: JSON.stringify(version) } },
  output: {
    dir: outdir,
    entryFileNames: '[name].js',
    // The part that makes samples loads on demand.
    chunkFileNames: '[name]-[hash].js',
    minify: true,
    comments: false,
  },
});
notePackages('workers', [built]);
