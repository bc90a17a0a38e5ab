// Bundles the parts of Monaco that the JSON editor needs into public/monaco, outside Next's graph. So none of it gets
// into the first load, and it is built again only when its version changes.
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { notePackages } from './licenses.mjs';

const root = join(import.meta.dirname, '..');
const outdir = join(root, 'public/monaco');
const monaco = join(root, 'node_modules/monaco-editor/esm/vs');
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
 * Parts that Monaco's own files load but a JSON editor never reaches, each with its stand-in: contributions that no
 * feature above registers, kinds of hover that nothing provides, and code behind options and functions that the page
 * does not use.
 */
const STAND_INS = {
  'editor/contrib/codeAction/browser/codeActionController': absent('CodeActionController'),
  'editor/contrib/dropOrPasteInto/browser/copyPasteController': absent('CopyPasteController'),
  'editor/contrib/gotoSymbol/browser/link/goToDefinitionAtPosition': absent(
    'GotoDefinitionAtPositionEditorContribution',
  ),
  'editor/contrib/inlineCompletions/browser/hintsWidget/inlineCompletionsHintsWidget':
    'export class InlineSuggestionHintsContentWidget { static dropDownVisible = false; }',
  'editor/contrib/inlayHints/browser/inlayHintsHover': unused('InlayHintsHover'),
  'editor/contrib/colorPicker/browser/hoverColorPicker/hoverColorPickerParticipant': unused(
    'ColorHover',
    'HoverColorPickerParticipant',
  ),
  'editor/browser/widget/multiDiffEditor/multiDiffEditorWidget': unused('MultiDiffEditorWidget'),
  'editor/common/model/tokens/treeSitter/treeSitterSyntaxTokenBackend': unused('TreeSitterSyntaxTokenBackend'),
  'editor/browser/gpu/viewGpuContext': unused('ViewGpuContext'),
  'editor/browser/viewParts/viewLinesGpu/viewLinesGpu': unused('ViewLinesGpu'),
  'editor/browser/viewParts/rulersGpu/rulersGpu': unused('RulersGpu'),
  'editor/browser/viewParts/gpuMark/gpuMark': unused('GpuMarkOverlay'),
  'base/common/observableInternal/logging/debugger/devToolsLogger': unused('DevToolsLogger'),
};

/** Stands in for a contribution that no editor has. */
function absent(name) {
  return `export class ${name} { static get() { return null; } }`;
}

/** Stands in for classes that are never instantiated. */
function unused(...names) {
  return names.map((name) => `export class ${name} {}`).join('\n');
}

const standIns = {
  name: 'stand-ins',
  setup({ onLoad, onEnd }) {
    const left = new Set(Object.keys(STAND_INS));
    onLoad({ filter: /[\\/]monaco-editor[\\/]esm[\\/]vs[\\/].+\.js$/ }, ({ path }) => {
      const part = path.slice(monaco.length + 1, -'.js'.length).replaceAll('\\', '/');
      left.delete(part);
      const contents = STAND_INS[part];
      return contents === undefined ? undefined : { contents };
    });
    onEnd(() => {
      if (left.size > 0)
        throw new Error(`Monaco no longer loads ${[...left].join(', ')}. Find the files that replace them.`);
    });
  },
};

/**
 * Monaco's worker set-up imports every feature for its side effects, and loads late, with the first JSON model.
 * Features would then arrive after the editor's services were collected, and throw. Without those imports, only the
 * list above is loaded.
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
  metafile: true,
  outdir,
};

await rm(outdir, { recursive: true, force: true });
const built = await Promise.all([
  build({
    ...options,
    plugins: [onlyOurFeatures, standIns],
    stdin: { contents: entry, resolveDir: root, sourcefile: 'editor.js' },
    entryNames: 'editor',
  }),
  build({
    ...options,
    entryPoints: {
      'editor.worker': join(monaco, 'editor/editor.worker.js'),
      'json.worker': join(monaco, 'languages/features/json/json.worker.js'),
    },
    // The JSON worker contains most of the editor's worker.
    splitting: true,
    chunkNames: 'worker-[hash]',
  }),
]);
notePackages('monaco', built);
const { version } = JSON.parse(readFileSync(join(root, 'node_modules/monaco-editor/package.json'), 'utf8'));
console.log(`Monaco ${version} in public/monaco`);
