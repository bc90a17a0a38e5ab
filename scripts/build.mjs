// Builds what is stale: Monaco → public/monaco, workers → public/direct and public/workers, the page → out, the viewer
// of shared files → out/viewer, both packed → dist/ui, the proxy → dist/cli.js, the library → dist/library.js and its
// types.
// `--force` builds everything.
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { STEPS } from './build-steps.mjs';
import { buildTypes } from './build-types.mjs';
import { isFresh, markFresh, markStale } from './freshness.mjs';
import { leanPackages } from './lean-packages.mjs';
import { notePackages, notePagePackages, writeLicenses } from './licenses.mjs';
import { mergeChunks } from './merge-chunks.mjs';
import { packPage } from './pack-page.mjs';
import { runNode } from './run.mjs';
import { trackedFiles } from './tracked-files.mjs';

const root = join(import.meta.dirname, '..');

/** How much it counts that an entry of the proxy starts fast, by its path. Any other counts 1. */
const STARTS = {
  'proxy/commands/main.ts': 100,
  // A host waits for these.
  'features/tap/proxy/main.ts': 400,
  'features/tap/proxy/tap-worker.ts': 20,
  'proxy/commands/inspect/inspect.ts': 20,
  'proxy/commands/list/list.ts': 8,
  'proxy/commands/call/call.ts': 5,
  'features/check/proxy/check/check.ts': 5,
};

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

/** Returns the entries of the workers of features: files of their `proxy` that are named so. */
function featureWorkers() {
  const files = trackedFiles(/^features\/[^/]+\/proxy\/.*-worker\.ts$/);
  const names = files.map((path) => `proxy/${basename(path, '.ts')}`);
  if (new Set(names).size < names.length) throw new Error('Two workers of features have one name.');
  return Object.fromEntries(names.map((name, at) => [name, files[at]]));
}

/**
 * Bundles proxy/main.ts, the library and the proxy's workers with everything they import; code that a plain `--help`
 * doesn't need becomes a chunk. The workers are among the chunks, which start them.
 */
async function buildProxy() {
  const { rolldown } = await import('rolldown');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const proxyChunks = join(root, 'dist', 'proxy');
  if (existsSync(proxyChunks)) rmSync(proxyChunks, { recursive: true });
  const bundle = await rolldown({
    cwd: root,
    // The workers stand beside the chunks, where the code that starts them looks for them.
    input: {
      cli: 'proxy/main.ts',
      library: 'proxy/library/library.ts',
      'proxy/index-worker': 'proxy/recorder/index-worker.ts',
      'proxy/look-worker': 'proxy/recorder/look-worker.ts',
      'proxy/archive-worker': 'proxy/recorder/archive-worker.ts',
      'proxy/export-worker': 'proxy/otel/export-worker.ts',
      ...featureWorkers(),
    },
    platform: 'node',
    tsconfig: true,
    plugins: [leanPackages],
    resolve: {
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
    },
    // Optional native parts of ws, which works without them.
    external: ['bufferutil', 'utf-8-validate'],
    transform: { target: 'node20.19', define: { MCP_INSPECT_VERSION: JSON.stringify(version) } },
    // Groups of modules without all that they import need it.
    preserveEntrySignatures: 'allow-extension',
    // A command that needs little imports late what others import at once.
    checks: { ineffectiveDynamicImport: false },
  });
  const output = {
    dir: join(root, 'dist'),
    entryFileNames: '[name].js',
    chunkFileNames: 'proxy/[name].js',
    minify: true,
    comments: false,
  };
  const fileOf = fileNames((await bundle.generate(output)).output);
  const built = await bundle.write({
    ...output,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'merged', name: (id) => fileOf.get(id) }],
    },
  });
  await bundle.close();
  notePackages('proxy', [built]);
  await buildTypes();
  chmodSync(join(root, 'dist', 'cli.js'), 0o755);
}

/** Returns the file of each module that entries share, by the module's id. */
function fileNames(chunks) {
  const modules = new Map(chunks.map((chunk) => [chunk.fileName, chunk.moduleIds]));
  const files = mergeChunks(
    chunks.map(({ fileName, code, imports, isEntry, isDynamicEntry, facadeModuleId }) => ({
      fileName,
      bytes: code.length,
      imports,
      weight: isEntry || isDynamicEntry ? (STARTS[relative(root, facadeModuleId)] ?? 1) : 0,
    })),
  );
  return new Map(
    files.flatMap((names, at) => names.flatMap((name) => modules.get(name)).map((id) => [id, String(at)])),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await build({ force: process.argv.includes('--force') });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
