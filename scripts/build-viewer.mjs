// Bundles the page that is viewer and recording at once into one HTML file with a place for the recording, outside
// Next's graph: out/viewer/page.txt. Its workers are texts in its script. Its styles are those of the built page.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { notePackages, viewerNotice } from './licenses.mjs';

const root = join(import.meta.dirname, '..');
const ui = join(root, 'out');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const COMMON = {
  bundle: true,
  jsx: 'automatic',
  minify: true,
  write: false,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"', MCP_INSPECT_VERSION: JSON.stringify(version) },
};

/** Modules that are replaced, because they are large or useless in a page that sends nothing. */
const STAND_INS = new Map(
  Object.entries({
    'lib/wire/worker-address.ts': 'viewer/worker-address.ts',
    'components/editor/monaco.ts': 'viewer/no-monaco.ts',
    'components/untrusted/pdf-document.tsx': 'viewer/no-pdf.tsx',
    'features/notes.ts': 'viewer/no-features.ts',
    'features/call-actions.ts': 'viewer/no-features.ts',
    'features/question-features.ts': 'viewer/no-features.ts',
    'components/workbench/recordings/recordings-page.tsx': 'viewer/left-out.ts',
    'components/workbench/connect/add-server.tsx': 'viewer/left-out.ts',
    'components/workbench/runs-place.tsx': 'viewer/left-out.ts',
    'components/workbench/elsewhere.tsx': 'viewer/left-out.ts',
    'components/workbench/linked-url-dialog.tsx': 'viewer/left-out.ts',
    'components/workbench/share/share.tsx': 'viewer/left-out.ts',
    'components/workbench/watch/watch-strip.tsx': 'viewer/left-out.ts',
    'lib/sharing/open-link.ts': 'viewer/left-out.ts',
    'lib/schema/sample.ts': 'viewer/left-out.ts',
  }).map(([path, instead]) => [join(root, path), join(root, instead)]),
);

/** A page of a feature, or its end of a live session: both need the proxy. */
const FEATURE_PAGE = /[\\/]features[\\/][^\\/]+[\\/]components[\\/][^\\/]+-(?:page\.tsx|session\.ts)$/;
const LEFT_OUT = join(root, 'viewer/left-out.ts');

/** Marks a resolve request that comes from the plugin itself. */
const RESOLVING = {};

const standIns = {
  name: 'stand-ins',
  setup(step) {
    step.onResolve({ filter: /^(?:\.|@\/)/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === RESOLVING) return undefined;
      const found = await step.resolve(path, { importer, resolveDir, kind, pluginData: RESOLVING });
      const instead = FEATURE_PAGE.test(found.path) ? LEFT_OUT : STAND_INS.get(found.path);
      return { ...found, path: instead ?? found.path };
    });
  },
};

/** Provides `viewer/worker-texts`: the text of each worker's script. */
const workerTexts = (workers) => ({
  name: 'worker-texts',
  setup(step) {
    step.onResolve({ filter: /\/worker-texts$/ }, ({ path }) => ({ path, namespace: 'texts' }));
    step.onLoad({ filter: /.*/, namespace: 'texts' }, () => ({ contents: JSON.stringify(workers), loader: 'json' }));
  },
});

const built = [];

async function script(entry, ...plugins) {
  const result = await build({ ...COMMON, entryPoints: [join(root, entry)], plugins: [...plugins, standIns] });
  built.push(result);
  return result.outputFiles[0].text;
}

/** Escapes what HTML would read as markup inside a script element. In strings the escaped form means the same. */
function embeddable(text) {
  const safe = text.replaceAll('<!--', '\\x3C!--').replaceAll(/<(\/?script)/gi, '\\x3C$1');
  if (/<!--|<\/?script/i.test(safe))
    throw new Error('The viewer script contains text that HTML would read as markup. Escape it above.');
  return safe;
}

/**
 * Returns the styles of the built page. Its fonts are named by path, and put in when a recording is shared: see
 * lib/sharing/share-files.ts. In the package, they would be a second copy.
 */
function styles() {
  const folder = join(ui, '_next/static');
  const sheets = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.css'));
  if (sheets.length === 0) throw new Error('out has no styles: build the page first.');
  const text = sheets
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n')
    .replaceAll(/url\(["']?[./]*(?:_next\/static\/)?media\/([\w.~-]+\.woff2)["']?\)/g, (_, name) => {
      if (!existsSync(join(folder, 'media', name))) throw new Error(`The page’s styles name a missing font: ${name}.`);
      return `url(data:font/woff2;base64,{{font:_next/static/media/${name}}})`;
    });
  const families = text.match(/--font-geist-(?:sans|mono):[^;}]+/g) ?? [];
  if (families.length !== 2 || text.split('{{font:').length !== 3)
    throw new Error('The page’s fonts have changed. Adapt scripts/build-viewer.mjs.');
  return `:root{${families.join(';')}}${text}`;
}

function hash(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const main = embeddable(
  await script(
    'viewer/main.tsx',
    workerTexts({
      highlight: await script('lib/highlight/worker.ts'),
      problems: await script('lib/problems/worker.ts'),
      regex: await script('lib/filter/worker.ts'),
      schema: await script('lib/schema/worker.ts'),
      recordings: await script('viewer/recordings-worker.ts'),
    }),
  ),
);
const css = styles();
/** As in a shared file, whose policy allows nothing else. */
const cssWithFonts = css.replace(/\{\{font:([^{}]+)\}\}/g, (_, path) => readFileSync(join(ui, path), 'base64'));
const policy = [
  "default-src 'none'",
  `script-src ${hash(main)}`,
  'worker-src blob:',
  `style-src ${hash(cssWithFonts)}`,
  'font-src data:',
  'img-src data: blob:',
  'media-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ');
// Placeholders in double braces are filled in when a recording is shared: see lib/sharing/share-files.ts.
const page = `<!doctype html>
<!-- A recording of an MCP connection, with its viewer, mcp-inspect ${version}. This page loads nothing and sends nothing. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>mcp-inspect</title>
<style>${css}</style>
</head>
<body>
<div id="page" class="h-full"><noscript>This file needs JavaScript, and no network, to show its recording.</noscript></div>
<script type="text/plain" id="licenses">${embeddable(viewerNotice(built))}</script>
<script type="text/plain" id="recording" data-name="{{name}}">{{recording}}</script>
<script>${main}</script>
</body>
</html>
`;
for (const place of ['{{name}}', '{{recording}}']) {
  if (page.split(place).length !== 2) throw new Error(`The viewer page must contain ${place} exactly once.`);
}
notePackages('viewer', built);
mkdirSync(join(ui, 'viewer'), { recursive: true });
// A text, because the page is complete only with a recording in it.
writeFileSync(join(ui, 'viewer/page.txt'), page);
console.log(`The viewer in out/viewer: ${(page.length / 1024) | 0} KB`);
