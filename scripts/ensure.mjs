// Makes a checkout ready to run: node_modules, then the build. Uses nothing that has to be installed first,
// and costs a few milliseconds when nothing is stale.
import './node-version.mjs';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { STEPS } from './build-steps.mjs';
import { isFresh } from './freshness.mjs';
import { isInstalled } from './installed.mjs';

const root = join(import.meta.dirname, '..');

/** Installs and builds what is missing or stale. Throws Error with a sentence when it can't. */
export async function ensure() {
  await ensureInstalled('.');
  if (Object.values(STEPS).every(isFresh)) return;
  process.stderr.write('building mcp-inspect… The first build takes one to two minutes.\n');
  const { build } = await import('./build.mjs');
  await build();
}

/** Runs `npm ci` in `folder`, unless its node_modules already match its lock. */
export async function ensureInstalled(folder) {
  const lock = readFileSync(join(root, folder, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex');
  const marker = join(root, folder, 'node_modules', '.mcp-inspect-lock');
  if (read(marker) === hash) return;
  // `npm ci` was run by hand.
  if (isInstalled(lock.toString(), read(join(root, folder, 'node_modules', '.package-lock.json')))) {
    writeFileSync(marker, hash);
    return;
  }
  const { runNpm } = await import('./run.mjs');
  process.stderr.write(`installing the packages of ${folder === '.' ? 'mcp-inspect' : folder}…\n`);
  const code = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: join(root, folder),
    quiet: true,
  });
  if (code !== 0) throw new Error(`\`npm ci\` in ${folder} failed with exit code ${code}: see above.`);
  mkdirSync(dirname(marker), { recursive: true });
  writeFileSync(marker, hash);
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await ensure();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
