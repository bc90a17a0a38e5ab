// The licences of what is bundled: THIRD-PARTY-LICENSES.txt of the package, and the notice in shared pages. Each build
// step notes the packages that it bundled. A package without a licence text, or with a licence that needs thought,
// fails the build.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const notes = join(root, 'node_modules/.cache/mcp-inspect/packages');

/** Licences that ask for no more than their text. */
const FINE = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'SIL OPEN FONT LICENSE',
  '0BSD',
  // Its file LICENSE is the latter.
  '(MPL-2.0 OR Apache-2.0)',
]);

/** Packages without a file of their licence, and a package of the same project that has it. */
const TEXT_ELSEWHERE = { '@ai-sdk/provider-utils': 'node_modules/@ai-sdk/provider' };

/** Packages in the page that no import of ours shows: Next's runtime, its styles and fonts. */
const IN_PAGE = ['next', 'react', 'react-dom', 'scheduler', '@swc/helpers', 'tailwindcss', 'geist'];
/** Packages that Monaco holds a copy of, without their licences. */
const IN_MONACO = ['dompurify'];
/** The same for its icons, which come without a file of their licence. */
const MONACO_ICONS = `Codicons, in the font codicon.ttf: Copyright (c) Microsoft Corporation, Creative Commons Attribution 4.0 International,
https://creativecommons.org/licenses/by/4.0/`;
/** Packages in the styles of shared pages. */
const IN_STYLES = ['tailwindcss', 'geist'];

/** @typedef {import('esbuild').BuildResult | import('rolldown').RolldownOutput} Built */

/** Notes which packages a step bundled. @param {string} step @param {readonly Built[]} built */
export function notePackages(step, built) {
  mkdirSync(notes, { recursive: true });
  writeFileSync(join(notes, `${step}.json`), JSON.stringify(packagesIn(built)));
}

/** Notes the packages of the page, whose bundler does not tell them: bundles it once more, without writing it. */
export async function notePagePackages() {
  const built = await build({
    entryPoints: [join(root, 'app/page.tsx')],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    jsx: 'automatic',
    format: 'esm',
    outdir: 'unused',
    logLevel: 'warning',
    external: ['/monaco/*', '/workers/*', '/direct/*'],
  });
  notePackages('ui', [built]);
}

/** Returns the folders of all packages that the steps bundled, from the project's root. */
export function bundledFolders() {
  const steps = readdirSync(notes).map((name) => JSON.parse(readFileSync(join(notes, name), 'utf8')));
  return [...new Set([...steps.flat(), ...[...IN_PAGE, ...IN_MONACO].map(folderOf)])].sort();
}

/** Writes the licences of everything that the steps bundled. */
export function writeLicenses() {
  const monaco = readFileSync(join(root, 'node_modules/monaco-editor/ThirdPartyNotices.txt'), 'utf8');
  writeFileSync(
    join(root, 'THIRD-PARTY-LICENSES.txt'),
    `mcp-inspect contains code and fonts of these packages.\n\n${licenseText(bundledFolders())}\n${RULE}\nmonaco-editor contains in turn:\n\n${MONACO_ICONS}\n\n${monaco.replaceAll('\r\n', '\n')}`,
  );
}

/** Returns the notice for a shared page. @param {readonly Built[]} built */
export function viewerNotice(built) {
  const folders = [...new Set([...packagesIn(built), ...IN_STYLES.map(folderOf)])].sort();
  return `This page contains code and fonts of these packages.\n\n${licenseText(folders)}`;
}

const RULE = '-'.repeat(80);
const COPYRIGHT = /^\s*copyright\b/i;
const MIT_HEADING = /^\s*(?:the )?mit license(?: \(mit\))?\s*$/i;
/** For packages that name the licence, and contain no text of it. */
const MIT = licenseLines('node_modules/react').filter((line) => !COPYRIGHT.test(line));

function folderOf(name) {
  return `node_modules/${name}`;
}

/** Returns the folders of all packages with a file in the bundles, from the project's root. */
function packagesIn(built) {
  const folders = built.flatMap(filesIn).map((path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter(Boolean))].sort();
}

/** Returns the files of a bundle from the project's root. A file that is left out as unused has no bytes in it. */
function filesIn({ metafile, output }) {
  if (metafile)
    return Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
    );
  return output
    .flatMap(({ modules }) => Object.entries(modules ?? {}))
    .filter(([path, { renderedLength }]) => renderedLength > 0 && !path.startsWith('\0'))
    .map(([path]) => relative(root, path));
}

/** Returns the licence texts of packages: equal texts once, with the copyright lines of all. */
function licenseText(folders) {
  const groups = new Map();
  for (const folder of folders) {
    const { name, version, license, author } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    if (!FINE.has(license))
      throw new Error(`${name} has the licence ${license}: decide about it in ${import.meta.filename}.`);
    const lines =
      licenseLines(TEXT_ELSEWHERE[name] ?? folder) ??
      (license === 'MIT' ? [`Copyright (c) ${author?.name ?? author ?? `the authors of ${name}`}`, ...MIT] : undefined);
    if (lines === undefined) throw new Error(`${name} contains no licence text: add it to ${import.meta.filename}.`);
    const body = lines
      .filter((line) => !COPYRIGHT.test(line) && !MIT_HEADING.test(line))
      .join('\n')
      .trim();
    const key = `${license} ${body.replace(/\s+/g, ' ').toLowerCase()}`;
    const group = groups.get(key) ?? { body, packages: [] };
    const owners = lines.filter((line) => COPYRIGHT.test(line)).map((line) => `  ${line.trim()}`);
    group.packages.push(`${name} ${version} (${license.replace(/^\((.*)\)$/, '$1')})`, ...owners);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ body, packages }) => `${RULE}\n${packages.join('\n')}\n\n${body}\n`).join('\n');
}

function licenseLines(folder) {
  const file = readdirSync(join(root, folder)).find((entry) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(entry));
  return (
    file &&
    readFileSync(join(root, folder, file), 'utf8')
      .trim()
      .split(/\r?\n/)
  );
}
