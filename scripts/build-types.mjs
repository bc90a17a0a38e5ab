// The types of the library: proxy/library and features/library.ts → dist/library.d.ts, one file that imports nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from './run.mjs';

const root = join(import.meta.dirname, '..');

/** Files with public types. None may need a type of another file. */
const PARTS = [
  ...['mcp-types', 'inspect-error', 'api'].map((name) => `proxy/library/${name}`),
  ...featureParts(),
  ...['matchers', 'library'].map((name) => `proxy/library/${name}`),
];

const HEAD =
  '// The library of mcp-inspect. docs/library.md describes it.\n/// <reference lib="esnext.disposable" />\n';

/** Writes the types; throws Error with a sentence if they need anything else. */
export async function buildTypes() {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-types-'));
  try {
    const files = PARTS.map((part) => `${part}.ts`);
    const options =
      '--ignoreConfig --rootDir . --noResolve --noCheck --declaration --emitDeclarationOnly --module esnext --target es2023 --lib esnext,dom';
    const args = [...files, ...options.split(' '), '--moduleResolution', 'bundler', '--outDir', folder];
    const code = await runNode('node_modules/typescript/bin/tsc', args);
    if (code) throw new Error(`tsc could not write the types of the library: exit code ${code}.`);
    writeFileSync(
      join(root, 'dist', 'library.d.ts'),
      bundled(PARTS.map((part) => readFileSync(join(folder, `${part}.d.ts`), 'utf8'))),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the files of features that the library exports. */
function featureParts() {
  const list = readFileSync(join(root, 'features', 'library.ts'), 'utf8');
  return Array.from(list.matchAll(/ from '\.\/([^']+)'/g), ([, path]) => `features/${path}`);
}

/** Joins the files, which export everything from one another. */
function bundled(texts) {
  // Parts import each other by their last name, and `library` exports them by the list of features.
  const names = [...PARTS.map((part) => part.split('/').at(-1)), 'traced', 'own-package'].join('|');
  const own = new RegExp(`^(?:import|export) [^;]*? from '(?:[^']*/(?:${names})|@/features/library)';\\n`, 'gm');
  const text = HEAD + texts.map((each) => each.replace(own, '').replaceAll('\nexport {};\n', '\n')).join('');
  if (/\bfrom '|import\(/.test(text))
    throw new Error('The types of the library name another file: see scripts/build-types.mjs.');
  return text;
}
