// Builds what is stale: Monaco → public/monaco, workers → public/direct and public/workers, the page → out, the viewer
// of shared files → out/viewer, both packed → dist/ui, the proxy → dist/cli.js, the library → dist/library.js and its
// types.
// `--force` builds everything.
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { STEPS } from './build-steps.mjs';
import { buildTypes } from './build-types.mjs';
import { isFresh, markFresh, markStale } from './freshness.mjs';
import { leanPackages } from './lean-packages.mjs';
import { notePackages, notePagePackages, writeLicenses } from './licenses.mjs';
import { packPage } from './pack-page.mjs';
import { runNode } from './run.mjs';
import { trimChunks } from './trim-chunks.mjs';

const root = join(import.meta.dirname, '..');

/** ws is CommonJS and requires node: modules. */
const REQUIRE = "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);";

/** How each step runs. Rejects or resolves to an exit code other than 0 when it fails. */
const RUNNERS = {
  monaco: buildMonaco,
  direct: buildDirect,
  workers: buildWorkers,
  ui: buildUi,
  viewer: buildViewer,
  pack: packPage,
  proxy: buildProxy,
};

/** Builds the stale steps; throws Error with a sentence when one fails. */
export async function build({ force = false } = {}) {
  await Promise.all([
    Promise.all([buildStep('monaco', force), buildStep('direct', force), buildStep('workers', force)])
      .then(() => buildStep('ui', force))
      .then(() => buildStep('viewer', force))
      .then(() => buildStep('pack', force)),
    // The page and the proxy share nothing but lib/, so they build side by side.
    buildStep('proxy', force),
  ]);
  writeLicenses();
}

/** Builds one step if it is stale; throws Error with a sentence when it fails. */
export async function buildStep(name, force = false) {
  const step = STEPS[name];
  if (!force && isFresh(step)) return;
  const begun = performance.now();
  markStale(step);
  const code = await RUNNERS[name]();
  if (code) throw new Error(`Building ${name} failed with exit code ${code}: see above.`);
  markFresh(step);
  process.stderr.write(`built ${name} in ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);
}

function buildMonaco() {
  return runNode('scripts/build-monaco.mjs');
}

function buildDirect() {
  return runNode('scripts/build-direct.mjs');
}

function buildWorkers() {
  return runNode('scripts/build-workers.mjs');
}

async function buildUi() {
  const env = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  const code = await runNode('node_modules/next/dist/bin/next', ['build'], { env, quiet: true });
  if (code) return code;
  await notePagePackages();
}

function buildViewer() {
  return runNode('scripts/build-viewer.mjs');
}

/**
 * Bundles proxy/main.ts, the library and the proxy's workers with everything they import; code that a plain `--help`
 * doesn't need becomes a chunk. The workers are among the chunks, which start them.
 */
async function buildProxy() {
  const { build: bundle } = await import('esbuild');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const proxyChunks = join(root, 'dist', 'proxy');
  if (existsSync(proxyChunks)) rmSync(proxyChunks, { recursive: true });
  const built = await bundle({
    // The workers stand beside the chunks, where proxy/recorder and proxy/tap look for them.
    entryPoints: {
      cli: join(root, 'proxy/main.ts'),
      library: join(root, 'proxy/library/library.ts'),
      'proxy/index-worker': join(root, 'proxy/recorder/index-worker.ts'),
      'proxy/look-worker': join(root, 'proxy/recorder/look-worker.ts'),
      'proxy/archive-worker': join(root, 'proxy/recorder/archive-worker.ts'),
      'proxy/export-worker': join(root, 'proxy/otel/export-worker.ts'),
      'proxy/table-worker': join(root, 'proxy/query/table-worker.ts'),
      'proxy/tap-worker': join(root, 'proxy/tap/tap-worker.ts'),
      'proxy/http-tap-worker': join(root, 'proxy/tap/http/http-tap-worker.ts'),
    },
    outdir: join(root, 'dist'),
    chunkNames: 'proxy/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [leanPackages],
    // The SDK is used for OAuth and for `mcp`. Its schema validator for Node would be as large as everything else.
    alias: {
      // Their builds for Node are CommonJS, whose exports a dynamic import can't name.
      'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
      yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
      '@modelcontextprotocol/client/_shims': join(
        root,
        'node_modules/@modelcontextprotocol/client/dist/shimsBrowser.mjs',
      ),
      '@modelcontextprotocol/server/_shims': join(
        root,
        'node_modules/@modelcontextprotocol/server/dist/shimsBrowser.mjs',
      ),
    },
    // Optional native parts of ws, which works without them.
    external: ['bufferutil', 'utf-8-validate'],
    define: { MCP_INSPECT_VERSION: JSON.stringify(version) },
    banner: { js: REQUIRE },
  });
  trimChunks(
    Object.keys(built.metafile.outputs).map((path) => resolve(path)),
    REQUIRE,
  );
  notePackages('proxy', [built]);
  await buildTypes();
  chmodSync(join(root, 'dist', 'cli.js'), 0o755);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await build({ force: process.argv.includes('--force') });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
