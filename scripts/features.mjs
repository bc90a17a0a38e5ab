// Deletes features from a copy of the source, and checks that the rest has the right imports and types, builds and
// starts, and has none of their commands. `npm run features` deletes all at once, and then one that changes with the
// date. `-- --each` deletes each in turn, `-- NAME…` those named. Whatever uses a deleted feature is deleted with it,
// also tests of the rest.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importsOf, resolveImport } from './check-imports.mjs';
import { ensureInstalled } from './ensure.mjs';
import { run } from './run.mjs';
import { trackedFiles } from './tracked-files.mjs';

const root = join(import.meta.dirname, '..');

/** The names of all features. */
export function allFeatures() {
  return readdirSync(join(root, 'features'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
}

/**
 * Resolves with what fails without some features and those that use them; undefined if nothing does.
 * @param {readonly string[]} names
 */
export async function problemWithout(names) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-without-'));
  try {
    return await problemIn(folder, withDependents(names));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function problemIn(folder, gone) {
  for (const path of trackedFiles(/./)) cpSync(join(root, path), join(folder, path));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const features = join(folder, 'features');
  const commands = [];
  for (const name of gone) {
    const program = join(features, name, 'feature.ts');
    if (existsSync(program)) commands.push(...commandsOf(readFileSync(program, 'utf8')));
    rmSync(join(features, name), { recursive: true });
    for (const { name: file } of readdirSync(features, { withFileTypes: true }).filter((entry) => entry.isFile()))
      writeFileSync(join(features, file), withoutRow(readFileSync(join(features, file), 'utf8'), name));
  }
  deleteTests(folder);
  const node = (...args) => run(process.execPath, args, { cwd: folder, quiet: true });
  if ((await node('scripts/check-imports.mjs')) !== 0) return 'an import is not allowed';
  if ((await node('node_modules/typescript/bin/tsc', '--noEmit')) !== 0) return 'a type is missing';
  const build = "import('./scripts/build.mjs').then(({ buildStep }) => buildStep('proxy', true))";
  if ((await node('-e', build)) !== 0) return 'the program does not build';
  if (helpOn('list', folder) !== 0) return 'the program does not start';
  const left = commands.find((command) => helpOn(command, folder) !== WRONG_COMMAND_LINE);
  return left && `the command ${left} is left`;
}

/** Deletes tests and benchmarks of the rest that import something deleted, also by way of others. */
function deleteTests(folder) {
  const paths = new Set(trackedFiles(/./).filter((path) => existsSync(join(folder, path))));
  const tests = [...paths].filter((path) => TESTS.test(path));
  const importsGone = (path) =>
    importsOf(readFileSync(join(folder, path), 'utf8'))
      .map((specifier) => resolveImport(path, specifier, paths))
      .some((target) => target.ours && !paths.has(target.path));
  for (
    let gone = tests.filter(importsGone);
    gone.length > 0;
    gone = tests.filter((path) => paths.has(path) && importsGone(path))
  ) {
    for (const path of gone) {
      paths.delete(path);
      rmSync(join(folder, path));
    }
  }
}

const TESTS = /^(?:bench|e2e)\/.*\.ts$|\.test\.tsx?$|\/test-[a-z-]+\.tsx?$/;

/** Returns features and all that use them. */
export function withDependents(names) {
  const sources = trackedFiles(/^features\/[^/]+\/.*\.tsx?$/).map((path) => ({
    feature: path.split('/')[1],
    text: readFileSync(join(root, path), 'utf8'),
  }));
  const found = new Set(names);
  for (const one of found) {
    for (const { feature, text } of sources) if (text.includes(`'@/features/${one}/`)) found.add(feature);
  }
  return found;
}

const WRONG_COMMAND_LINE = 2;

/** Returns the exit code of the help on a command. */
function helpOn(command, folder) {
  return spawnSync(process.execPath, ['dist/cli.js', 'help', ...command.split(' ')], { cwd: folder }).status;
}

/** Returns the names of a feature's subcommands, as its `feature.ts` has them. Throws an Error if it finds none. */
export function commandsOf(text) {
  const names = Array.from(text.matchAll(/\bname: '([a-z][a-z -]*)',\s+summary:/g), ([, name]) => name);
  if (names.length === 0 && /^ {2}commands:/m.test(text)) throw new Error('The commands of a feature were not found.');
  return names;
}

/** Returns the names that a line imports. */
export function importedNames(line) {
  return /^import \{ ([\w, ]+) \}/.exec(line)?.[1].split(', ') ?? [];
}

/** Removes what a list has of a feature: the lines that import or export it, and the imported names. */
export function withoutRow(text, name) {
  const lines = text.split('\n');
  const isOf = (line) => line.includes(`'./${name}/`);
  const names = lines.filter(isOf).flatMap(importedNames);
  const left = lines.filter((line) => !isOf(line)).join('\n');
  const list = names.reduce((rest, one) => rest.replace(new RegExp(`(?<=\\[.*)\\b${one}\\b,? ?`), ''), left);
  // A list without rows is a module still.
  return /^export /m.test(list) ? list : `${list}export {};\n`;
}

/** Returns the features to delete, one list for each copy. Throws an Error for an unknown name. */
function chosen(words) {
  const all = allFeatures();
  const each = all.map((name) => [name]);
  if (words.includes('--each')) return each;
  const unknown = words.find((word) => !all.includes(word));
  if (unknown !== undefined) throw new Error(`Unknown feature: ${unknown}. Choose from: ${all.join(', ')}.`);
  if (words.length > 0) return words.map((name) => [name]);
  const days = Math.floor(Date.now() / (24 * 60 * 60_000));
  return [all, each[days % each.length]];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureInstalled('.');
  for (const names of chosen(process.argv.slice(2))) {
    const wrong = await problemWithout(names);
    const words = `without ${names.join(', ')}${wrong ? `: ${wrong}` : ''}`;
    process.stdout.write(`${wrong === undefined ? 'ok    ' : 'FAILED'} ${words}\n`);
    if (wrong !== undefined) process.exitCode = 1;
  }
}
