// Bundles the parts of Monaco that the JSON editor needs into public/monaco, apart from Next's graph: nothing of it can get
// into the first load, and it need not be built again until its version changes.
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const outdir = join(root, 'public/monaco');
const FEATURES = [
  'codeEditor',
  'codicon',
  'bracketMatching',
  'clipboard',
  'diffEditor',
  'find',
  'folding',
  'format',
  'gotoError',
  'hover',
  'suggest',
  'wordOperations',
  'linesOperations',
  'contextmenu',
  'unicodeHighlighter',
];

const entry = [
  `export { editor, KeyCode, KeyMod, Uri } from 'monaco-editor/editor';`,
  ...FEATURES.map((feature) => `import 'monaco-editor/features/${feature}/register';`),
  // The suggest feature of 0.57 registers everything but the pop-up itself.
  `import 'monaco-editor/editor/contrib/suggest/browser/suggestController';`,
  `export { jsonDefaults } from 'monaco-editor/languages/features/json/register';`,
].join('\n');

/**
 * Monaco's worker set-up imports every feature for its side effects, and is itself loaded late, with the first JSON model: features would
 * come in after the editor's services were collected, and throw. Without those imports the list above is all there is.
 */
const onlyOurFeatures = {
  name: 'only-our-features',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]vs[\\/]internal[\\/]common[\\/]workers\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/^import '[^']+';$/gm, ''),
    }));
  },
};

const options = {
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [onlyOurFeatures],
  outdir,
};

await rm(outdir, { recursive: true, force: true });
const monaco = join(root, 'node_modules/monaco-editor/esm/vs');
await Promise.all([
  build({ ...options, stdin: { contents: entry, resolveDir: root, sourcefile: 'editor.js' }, entryNames: 'editor' }),
  build({
    ...options,
    entryPoints: {
      'editor.worker': join(monaco, 'editor/editor.worker.js'),
      'json.worker': join(monaco, 'languages/features/json/json.worker.js'),
    },
    // The one is most of the other.
    splitting: true,
    chunkNames: 'worker-[hash]',
  }),
]);
const { version } = JSON.parse(readFileSync(join(root, 'node_modules/monaco-editor/package.json'), 'utf8'));
console.log(`Monaco ${version} in public/monaco`);
