import { featureWorkers } from './feature-workers.mjs';

// The build as data: inputs and outputs of each step. scripts/build.mjs runs them.

/** The file in which a step notes the packages that it bundled. */
const packagesOf = (step) => `node_modules/.cache/mcp-inspect/packages/${step}.json`;

/** @type {Readonly<Record<string, import('./freshness.mjs').Step>>} */
export const STEPS = {
  monaco: {
    name: 'monaco',
    inputs: ['scripts/build-monaco.mjs', 'scripts/licenses.mjs', 'node_modules/monaco-editor/package.json'],
    outputs: ['public/monaco/editor.js', packagesOf('monaco')],
  },
  direct: {
    name: 'direct',
    inputs: ['lib', 'features', 'package.json', 'package-lock.json', 'scripts/build-direct.mjs'],
    outputs: ['public/direct/worker.js', packagesOf('direct')],
  },
  workers: {
    name: 'workers',
    inputs: [
      'scripts/build-workers.mjs',
      'scripts/lean-packages.mjs',
      'scripts/feature-workers.mjs',
      'features',
      'lib/json',
      'lib/problems',
      'lib/filter',
      'lib/highlight',
      'lib/pdf',
      'lib/recording',
      'lib/redact',
      'lib/sharing',
      'package.json',
      'lib/protocol',
      'lib/schema',
      'lib/store',
      'lib/mcp',
      'lib/transports',
      'lib/wire',
      'package-lock.json',
    ],
    outputs: [
      ...featureWorkers().map(({ name }) => `public/workers/${name}.js`),
      'public/workers/highlight.js',
      'public/workers/pdf.js',
      'public/workers/problems.js',
      'public/workers/schema.js',
      'public/workers/share.js',
      packagesOf('workers'),
    ],
  },
  ui: {
    name: 'ui',
    inputs: [
      'app',
      'components',
      'features',
      'lib',
      'public',
      'next.config.mjs',
      'tailwind.config.ts',
      'postcss.config.mjs',
      'tsconfig.json',
      'package-lock.json',
      'scripts/build.mjs',
    ],
    outputs: ['out/index.html', packagesOf('ui')],
  },
  // After the page, because it uses the page's styles.
  viewer: {
    name: 'viewer',
    inputs: [
      'viewer',
      'app',
      'components',
      'features',
      'lib',
      'package.json',
      'package-lock.json',
      'scripts/build-viewer.mjs',
    ],
    outputs: ['out/viewer/page.txt', packagesOf('viewer')],
  },
  pack: {
    name: 'pack',
    inputs: ['out', 'scripts/pack-page.mjs'],
    outputs: ['dist/ui/index.html', 'dist/ui/packed.json'],
  },
  proxy: {
    name: 'proxy',
    inputs: [
      'proxy',
      'features',
      'lib',
      'package.json',
      'package-lock.json',
      'scripts/build.mjs',
      'scripts/build-types.mjs',
      'scripts/lean-packages.mjs',
      'scripts/merge-chunks.mjs',
    ],
    outputs: [
      'dist/cli.js',
      'dist/library.js',
      'dist/library.d.ts',
      'dist/proxy/archive-worker.js',
      packagesOf('proxy'),
    ],
  },
};
