// `npm run bench -- NAME… [FLAG…]`: bundles bench/NAME.bench.ts and runs it with the flags. Without a name it runs all.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length));
const given = process.argv.slice(2);
const flags = given.filter((word) => word.startsWith('-'));
const named = given.filter((word) => !word.startsWith('-'));
const names = named.length > 0 ? named : all;

/** Benchmarks of modules, which don't start the program. */
const WITHOUT_BUILD = ['hosts', 'redaction', 'redaction-pairs', 'secrets', 'validation'];

if (!existsSync(join(root, 'dist/cli.js')) && names.some((name) => !WITHOUT_BUILD.includes(name))) {
  console.error('dist/cli.js is missing. Run `npm run build` first.');
  process.exit(2);
}
for (const name of names) {
  if (!all.includes(name)) {
    console.error(`Unknown benchmark "${name}". Choose from: ${all.join(', ')}.`);
    process.exit(2);
  }
  const outfile = join(root, 'node_modules/.cache/bench', `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.bench.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    define: { ROOT: JSON.stringify(root) },
    logLevel: 'warning',
  });
  console.log(`\n# ${name}`);
  const home = mkdtempSync(join(tmpdir(), 'mcp-inspect-bench-'));
  const env = { ...process.env, MCP_INSPECT_HOME: home };
  const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...flags], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  rmSync(home, { recursive: true, force: true });
  if (status !== 0) process.exitCode = 1;
}
