// `npm run forms:report -- FILES`: measures in a headless Chromium how well the form draws the tools of `tools/list`
// results, and compares that with bench/forms/bars.mjs. FILES are files or folders. Options:
//
// - `--sample N` measures N tools, spread over all files.
// - `--brief` measures less of large tools.
// - `--axe` also checks accessibility.
// - `--bars` also measures the targets that need no browser, and fails if one is missed.
// - `--json` prints JSON. `--verbose` prints each tool before it is measured.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { formWeight } from '../../scripts/form-weight.mjs';
import { missedBars } from './bars.mjs';
import { measured } from './measure.mjs';
import { summed, written } from './report.mjs';

const root = join(import.meta.dirname, '../..');

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean' },
    sample: { type: 'string' },
    axe: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    verbose: { type: 'boolean' },
    bars: { type: 'boolean' },
  },
  allowPositionals: true,
});

if (positionals.length === 0) {
  process.stderr.write(
    'Usage: npm run forms:report -- FILES [--sample N] [--brief] [--axe] [--bars] [--json] [--verbose]\nFILES are files or folders of tools/list results.\n',
  );
  process.exitCode = 2;
} else {
  const all = await readTools(positionals);
  const count = Number(values.sample ?? all.length);
  // Every nth tool, so that a sample has tools of each file.
  const tools = all.filter(
    (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  );
  const onTool = ({ file, name }) => values.verbose && process.stderr.write(`${file}: ${name}\n`);
  const report = summed(await measured(tools, { axe: values.axe, brief: values.brief, onTool }), {
    axeRan: values.axe,
    // These need no browser and are measured only with --bars.
    verdicts: values.bars ? await comparedVerdicts(tools) : undefined,
    weight: values.bars ? await formWeight() : undefined,
  });
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : written(report));
  const missed = missedBars(report);
  if (values.bars) {
    process.stdout.write(`load average: ${loadavg()[0].toFixed(1)}\n`);
    for (const sentence of missed) process.stdout.write(`MISSED ${sentence}\n`);
  }
  process.exitCode = report.crashes.length > 0 || (values.bars && missed.length > 0) ? 1 : 0;
}

/** Loads the page's own reader of JSON text, which keeps digits and key order. */
async function jsonSource() {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'lib/json/source.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    alias: { '@': root },
  });
  const { JsonSource } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
  );
  return JsonSource;
}

/** Reads every tool in files or folders: its file, its name, and the text of its schema (undefined if it has none). */
async function readTools(paths) {
  const JsonSource = await jsonSource();
  const files = paths.flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => name.endsWith('.json'))
          .sort()
          .map((name) => join(path, name))
      : [path],
  );
  return files.flatMap((file) => {
    const whole = JsonSource.parse(readFileSync(file, 'utf8'));
    if (whole === undefined) throw new Error(`${file} is not JSON.`);
    const list = whole.kind === 'array' ? whole : (whole.member('tools') ?? whole.member('result')?.member('tools'));
    if (list?.kind !== 'array')
      throw new Error(`${file} has no list of tools. It must be an array, or an object with "tools".`);
    return list.children(100_000).children.map(({ source }) => ({
      file: basename(file),
      name: String(source.member('name')?.value ?? '(no name)'),
      schema: source.member('inputSchema')?.text,
    }));
  });
}

/** Compares our checker with ajv. Bundles verdicts.ts first, because it is TypeScript of the page. */
async function comparedVerdicts(tools) {
  const outfile = join(root, 'node_modules/.cache/mcp-inspect/verdicts.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'verdicts.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    alias: { '@': root },
    logLevel: 'warning',
  });
  const { compareVerdicts } = await import(pathToFileURL(outfile).href);
  return compareVerdicts(tools);
}
