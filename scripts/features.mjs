// `npm run features -- NAME…`: deletes each feature, or those named, from a copy of the source, and checks that the
// rest has the right imports and types, builds, and names none of its commands.
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
import { ensureInstalled } from './ensure.mjs';
import { run } from './run.mjs';
import { trackedFiles } from './tracked-files.mjs';

const root = join(import.meta.dirname, '..');

await ensureInstalled('.');
const names = process.argv.length > 2 ? process.argv.slice(2) : allFeatures();
for (const name of names) {
  const folder = mkdtempSync(join(tmpdir(), `mcp-inspect-without-${name}-`));
  try {
    const wrong = await problemWithout(name, folder);
    process.stdout.write(`${wrong === undefined ? 'ok    ' : 'FAILED'} without ${name}${wrong ? `: ${wrong}` : ''}\n`);
    if (wrong !== undefined) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function allFeatures() {
  return readdirSync(join(root, 'features'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
}

/** Resolves with what fails without a feature and those that need it; undefined if nothing does. */
async function problemWithout(name, folder) {
  for (const path of trackedFiles(/./)) cpSync(join(root, path), join(folder, path));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const features = join(folder, 'features');
  const commands = [];
  for (const gone of withDependents(name)) {
    const program = join(features, gone, 'feature.ts');
    if (existsSync(program)) commands.push(...commandsOf(readFileSync(program, 'utf8')));
    rmSync(join(features, gone), { recursive: true });
    for (const { name: file } of readdirSync(features, { withFileTypes: true }).filter((entry) => entry.isFile()))
      writeFileSync(join(features, file), withoutRow(readFileSync(join(features, file), 'utf8'), gone));
  }
  const node = (...args) => run(process.execPath, args, { cwd: folder, quiet: true });
  if ((await node('scripts/check-imports.mjs')) !== 0) return 'an import is not allowed';
  if ((await node('node_modules/typescript/bin/tsc', '--noEmit')) !== 0) return 'a type is missing';
  const build = "import('./scripts/build.mjs').then(({ buildStep }) => buildStep('proxy', true))";
  if ((await node('-e', build)) !== 0) return 'it does not build';
  const left = commands.find((command) => helpOn(command, folder) === 0);
  return left && `the command ${left} is left`;
}

/** Returns a feature and all features that can't be without it. */
function withDependents(name) {
  const found = new Set([name]);
  for (const one of found) {
    for (const other of allFeatures()) {
      const uses = trackedFiles(/\.tsx?$/)
        .filter((path) => path.startsWith(`features/${other}/`))
        .some((path) => readFileSync(join(root, path), 'utf8').includes(`'@/features/${one}/`));
      if (uses) found.add(other);
    }
  }
  return found;
}

/** Returns the exit code of the help on a command: 0 if there is one. */
function helpOn(command, folder) {
  return spawnSync(process.execPath, ['dist/cli.js', 'help', ...command.split(' ')], { cwd: folder }).status;
}

/** Returns the names of a feature's subcommands, as its registry has them. */
function commandsOf(text) {
  return Array.from(text.matchAll(/\bname: '([a-z ]+)',\s+summary:/g), ([, name]) => name);
}

/** Removes what a list has of a feature: the lines that import or export it, and the imported names. */
function withoutRow(text, name) {
  const lines = text.split('\n');
  const isOf = (line) => line.includes(`'./${name}/`);
  const names = lines.filter(isOf).flatMap((line) => /^import \{ (\w+) \}/.exec(line)?.[1] ?? []);
  return names.reduce(
    (left, one) => left.replace(new RegExp(`(?<=\\[.*)\\b${one}\\b,? ?`), ''),
    lines.filter((line) => !isOf(line)).join('\n'),
  );
}
