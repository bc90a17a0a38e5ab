// `npm run forms:report -- <file or folder of tools/list results> [--json] [--sample N] [--axe] [--bars] [--verbose]`: how much of
// real tools the form draws, measured in a headless Chromium and held against bench/forms/bars.mjs.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { formWeight } from '../../scripts/form-weight.mjs';
import { missedBars } from './bars.mjs';
import { comparedVerdicts } from './load-verdicts.mjs';
import { measured } from './measure.mjs';
import { summed, written } from './report.mjs';
import { readTools } from './tools.mjs';

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
    'Usage: npm run forms:report -- <file or folder of tools/list results> [--json] [--sample N] [--axe]\n',
  );
  process.exitCode = 2;
} else {
  const all = await readTools(positionals);
  const count = Number(values.sample ?? all.length);
  // Every nth, so that a sample holds something of each file.
  const tools = all.filter(
    (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  );
  const onTool = ({ file, name }) => values.verbose && process.stderr.write(`${file}: ${name}\n`);
  const report = summed(await measured(tools, { axe: values.axe, brief: values.brief, onTool }), {
    axeRan: values.axe,
    // Without a browser: only where all bars are asked for.
    verdicts: values.bars ? await comparedVerdicts(tools) : undefined,
    weight: values.bars ? await formWeight() : undefined,
  });
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : written(report));
  const missed = missedBars(report);
  if (values.bars) {
    process.stdout.write(`load of the machine: ${loadavg()[0].toFixed(1)}\n`);
    for (const sentence of missed) process.stdout.write(`MISSED ${sentence}\n`);
  }
  process.exitCode = report.crashes.length > 0 || (values.bars && missed.length > 0) ? 1 : 0;
}
