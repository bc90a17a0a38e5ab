// `npm run size`: packs as npm would publish, installs the package, and compares the result with the budgets.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { ensure } from './ensure.mjs';
import { formWeight } from './form-weight.mjs';

const root = join(import.meta.dirname, '..');
const MB = 1024 * 1024;

/** Files that may be in the tarball. A source map or a test in it is a mistake. */
const SHIPPED =
  /^(?:dist\/(?:cli\.js|library\.(?:js|d\.ts)|proxy\/[\w-]+\.js|ui\/.+)|examples\/.+|schemas\/.+|(?:README|SECURITY)\.md|LICENSE|THIRD-PARTY-LICENSES\.txt|package\.json)$/;
const NEEDED = ['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES.txt'];
const NEVER = /(?:^|\/)test-|\.map$|\.test\.[cm]?[jt]sx?$|(?<!\.d)\.tsx?$|\.env/;

/**
 * Budgets for the parts of the tarball, by the files below dist, in KB as packed, each about 2 % above what is true.
 * The first that fits counts.
 */
const PARTS = [
  ['Monaco', 'ui/monaco.br', 768],
  ['PDF viewer', 'ui/pdf.br', 387],
  // 20 of it are telemetry: the index of spans, its panel, detail and waterfall, for the page and for the viewer.
  // About 370 are the viewer of shared pages. About 30 are the rules of the prose of the specification, in the page's
  // worker and the viewer's, and the doctor with its table of reasons. 20 are the facts about hosts, with their view.
  ['later: panels, workers, viewer', 'ui/later.br', 1106],
  // 137 of it are fonts, and 208 scripts.
  ['start of the page', 'ui', 385],
  ['library and its types', 'library', 9],
  // 70 of it are `mcp`, which alone loads them: the server of the official SDK, what it needs of zod, and the tools.
  // 35 are uploads to a bucket, which only `recordings push`, `--to` and a bucket that is read load: 6 are aws4fetch.
  // About 30 are OpenTelemetry: the receiver, and the thread that exports spans. `--otel` loads them.
  // About 40 are reports, and 35 tables with Parquet and SQL.
  ['proxy and subcommands', '', 1156],
];

/** A class name in every build of Monaco's editor. */
const IN_MONACO = 'monaco-mouse-cursor-text';

await ensure();
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-size-'));
try {
  const rows = [...measure(), await form()];
  for (const { what, value, budget, unit } of rows) {
    const verdict = value <= budget ? 'ok    ' : 'FAILED';
    process.stdout.write(`${verdict} ${what.padEnd(34)} ${show(value, unit).padStart(10)}  of ${show(budget, unit)}\n`);
  }
  process.exitCode = rows.some(({ value, budget }) => !(value <= budget)) ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function show(value, unit) {
  if (unit === 'MB') return `${(value / MB).toFixed(2)} MB`;
  if (unit === 'KB') return `${(value / 1024).toFixed(0)} KB`;
  return String(value);
}

function measure() {
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  npm(['install', '--no-audit', '--no-fund', join(folder, packed.filename)], folder);
  const installed = join(folder, 'node_modules');
  const lock = JSON.parse(readFileSync(join(installed, '.package-lock.json'), 'utf8'));
  const scripts = firstLoad(join(installed, 'mcp-inspect/dist/ui'));
  const strays = packed.files.filter(({ path }) => !SHIPPED.test(path) || NEVER.test(path)).map(({ path }) => path);
  const monaco = scripts.filter(({ path, text }) => path.includes('/monaco/') || text.includes(IN_MONACO));
  const missing = NEEDED.filter((path) => !packed.files.some((file) => file.path === path));
  for (const stray of strays) process.stdout.write(`unexpected file in the tarball: ${stray}\n`);
  return [
    { what: 'tarball', value: packed.size, budget: 3.72 * MB, unit: 'MB' },
    ...parts(join(installed, 'mcp-inspect')),
    { what: 'installed', value: sizeOf(installed), budget: 6.18 * MB, unit: 'MB' },
    { what: 'packages installed', value: Object.keys(lock.packages).length, budget: 1 },
    { what: 'files that should not be in it', value: strays.length, budget: 0 },
    { what: 'files that are missing', value: missing.length, budget: 0 },
    {
      what: 'first load, JavaScript, gzip',
      value: sum(scripts.map(({ gzip }) => gzip)),
      budget: 270 * 1024,
      unit: 'KB',
    },
    { what: 'Monaco files in the first load', value: monaco.length, budget: 0 },
    ...starts(join(installed, 'mcp-inspect/dist/cli.js')),
  ];
}

/** Measures what is loaded to start. Code counts unpacked, because all of it is read and parsed. */
function starts(cli) {
  const code = (args) => sum(loadedBy(cli, args).map((path) => statSync(path).size));
  const tap = ['tap', '--record', 'off', '--', process.execPath, '-e', '0'];
  return [
    { what: 'code that --help loads', value: code(['--help']), budget: 72 * 1024, unit: 'KB' },
    { what: 'code that a tap loads', value: code(tap), budget: 56 * 1024, unit: 'KB' },
    { what: 'scripts that list loads', value: loadedBy(cli, ['list', '--demo']).length, budget: 22 },
  ];
}

/** Runs the bin, and returns the scripts beside it that it loaded. */
function loadedBy(cli, args) {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  const env = { ...process.env, NODE_V8_COVERAGE: coverage, MCP_INSPECT_HOME: join(folder, 'home') };
  execFileSync(process.execPath, [cli, ...args], { env, stdio: 'ignore' });
  const urls = filesIn(coverage).flatMap((path) => JSON.parse(readFileSync(path, 'utf8')).result.map(({ url }) => url));
  const own = pathToFileURL(dirname(cli)).href;
  const paths = [...new Set(urls.filter((url) => url.startsWith(own)))].map((url) => fileURLToPath(url));
  if (paths.length === 0) throw new Error(`${cli} ${args.join(' ')} noted no scripts, so there is nothing to measure.`);
  return paths;
}

function parts(folder) {
  const files = filesIn(join(folder, 'dist'));
  const partOf = (path) => PARTS.find(([, start]) => relative(join(folder, 'dist'), path).startsWith(start));
  return PARTS.map((part) => ({
    what: `  ${part[0]}`,
    value: sum(files.filter((path) => partOf(path) === part).map((path) => gzipSync(readFileSync(path)).length)),
    budget: part[2] * 1024,
    unit: 'KB',
  }));
}

async function form() {
  return { what: 'form and validator, gzip', value: await formWeight(), budget: 27 * 1024, unit: 'KB' };
}

/** Returns the scripts that index.html names, as tags and preloads. */
function firstLoad(ui) {
  const html = readFileSync(join(ui, 'index.html'), 'utf8');
  const paths = new Set(Array.from(html.matchAll(/(?:src|href)="([^"?]+\.m?js)/g), (match) => match[1]));
  if (paths.size === 0) throw new Error('dist/ui/index.html names no scripts, so there is nothing to measure.');
  const files = archived(ui, 'start.br');
  return Array.from(paths, (path) => {
    const bytes = files.get(path.replace(/^\//, '')) ?? readFileSync(join(ui, path));
    return { path, text: bytes.toString(), gzip: gzipSync(bytes, { level: 9 }).length };
  });
}

/** Returns the files in an archive of the page, by path: see scripts/pack-page.mjs. */
function archived(ui, archive) {
  const bytes = brotliDecompressSync(readFileSync(join(ui, archive)));
  const files = JSON.parse(readFileSync(join(ui, 'packed.json'), 'utf8'))[archive];
  let start = 0;
  return new Map(
    files.map(([path, length]) => {
      start += length;
      return [path, bytes.subarray(start - length, start)];
    }),
  );
}

function sizeOf(path) {
  return sum(filesIn(path).map((file) => statSync(file).size));
}

function filesIn(path) {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function npm(args, cwd) {
  const [command, ...first] = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  return execFileSync(command, [...first, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
