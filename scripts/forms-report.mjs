// `npm run forms:report -- <file or folder of tools/list results> [--json] [--sample N]`: how much of real tools the form draws,
// measured in a headless Chromium.
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { missedBars } from '../bench/forms/bars.mjs';
import { serveForms } from '../bench/forms/serve.mjs';
import { readTools } from '../bench/forms/tools.mjs';
import { findBrowser } from './browser.mjs';

/** A tool whose form takes longer to build or to mount hangs; and one is given up when nothing comes back at all. */
const HANG_MS = 2000;
const GIVE_UP_MS = 60_000;

/** The form in which keys are timed. */
const WIDE = JSON.stringify({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [`p${index}`, { type: 'string', description: 'd'.repeat(60) }]),
  ),
});

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean' },
    sample: { type: 'string' },
    verbose: { type: 'boolean' },
    bars: { type: 'boolean' },
  },
  allowPositionals: true,
});

if (positionals.length === 0) {
  process.stderr.write('Usage: npm run forms:report -- <file or folder of tools/list results> [--json] [--sample N]\n');
  process.exitCode = 2;
} else {
  const all = await readTools(positionals);
  const count = Number(values.sample ?? all.length);
  // Every nth, so that a sample holds something of each file.
  const tools = all.filter(
    (_, index) => Math.floor((index * count) / all.length) !== Math.floor(((index - 1) * count) / all.length),
  );
  const report = summed(await measured(tools));
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : written(report));
  const missed = missedBars(report);
  if (values.bars) for (const sentence of missed) process.stdout.write(`FAILED ${sentence}\n`);
  process.exitCode = report.crashes.length > 0 || (values.bars && missed.length > 0) ? 1 : 0;
}

/** Mounts a form of 2,000 fields and types in the last one. Runs in the page. */
async function typeInWideForm(schema) {
  globalThis.forms.show(schema);
  await globalThis.forms.settled();
  const spent = await globalThis.forms.type(60);
  globalThis.forms.unmount();
  return spent.slice(10);
}

async function measured(tools) {
  const server = await serveForms();
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const violations = [];
    const uncaught = [];
    const openPage = async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.on(
        'console',
        (message) => /Content.Security.Policy/i.test(message.text()) && violations.push(message.text()),
      );
      page.on('pageerror', (error) => uncaught.push(String(error)));
      await page.goto(server.url);
      return page;
    };
    let page = await openPage();
    const results = [];
    const slowForms = [];
    for (const tool of tools) {
      let found;
      let crash;
      let timer;
      const hang = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`hangs: nothing after ${GIVE_UP_MS} ms`)), GIVE_UP_MS);
      });
      try {
        if (values.verbose) process.stderr.write(`${tool.file}: ${tool.name}\n`);
        found = await Promise.race([
          page.evaluate((schema) => globalThis.forms.measure(schema), tool.schema ?? 'null'),
          hang,
        ]);
        const slow = Math.max(found.buildMs, found.mountMs, found.mountFullMs);
        if (slow > HANG_MS) slowForms.push(`${tool.file}: ${tool.name}: ${slow.toFixed(0)} ms`);
      } catch (error) {
        crash = String(error).split('\n')[0];
        // A page that hangs does not close either.
        void page.close().catch(() => undefined);
        page = await openPage();
      } finally {
        clearTimeout(timer);
      }
      results.push({ ...tool, schema: undefined, crash: crash ?? uncaught.splice(0)[0], found });
    }
    const typing = spread(await page.evaluate(typeInWideForm, WIDE));
    return { results, violations, typing, slowForms };
  } finally {
    await browser.close();
    server.close();
  }
}

function summed({ results, violations, typing, slowForms }) {
  const found = results.filter(({ found }) => found);
  const kinds = {};
  for (const {
    found: { counts },
  } of found) {
    for (const [kind, count] of Object.entries(counts.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  const places = found.flatMap(({ found }) => found.places);
  const boxed = found.filter(
    ({ found }) => found.counts.boxes.length > 0 || found.places.some(({ json, missing }) => json + missing > 0),
  );
  const tell = (list) => list.map(({ file, name }) => `${file}: ${name}`);
  return {
    tools: results.length,
    toolsByFields: found.length - boxed.length,
    leaves: places.reduce((sum, { own, json, missing }) => sum + own + json + missing, 0),
    leavesMissing: places.reduce((sum, { missing }) => sum + missing, 0),
    fields: kinds,
    jsonBoxes: boxed.map(({ file, name, found }) => ({ file, name, boxes: found.counts.boxes, places: found.places })),
    crashes: results.filter(({ crash }) => crash).map(({ file, name, crash }) => ({ file, name, crash })),
    hangs: slowForms,
    touched: tell(found.filter(({ found }) => found.untouched !== '{}')),
    changed: tell(found.filter(({ found }) => found.kept.includes(false))),
    unlabelled: tell(found.filter(({ found }) => found.unlabelled > 0)),
    findings: found.reduce((sum, { found }) => sum + found.findings, 0),
    findingsAtTheirField: found.reduce((sum, { found }) => sum + found.landed, 0),
    lost: tell(found.filter(({ found }) => found.landed < found.findings)),
    unchecked: found
      .filter(({ found }) => found.unchecked)
      .map(({ file, name, found }) => `${file}: ${name}: ${found.unchecked}`),
    policyViolations: violations,
    typing,
    ms: {
      build: spread(found.map(({ found }) => found.buildMs)),
      mountEmpty: spread(found.map(({ found }) => found.mountMs)),
      mountFull: spread(found.map(({ found }) => found.mountFullMs)),
    },
    slowest: [...found]
      .sort((a, b) => b.found.mountFullMs - a.found.mountFullMs)
      .slice(0, 5)
      .map(({ file, name, found }) => ({ file, name, mountMs: found.mountMs, mountFullMs: found.mountFullMs })),
  };
}

function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (share) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

function written(report) {
  const percent = (part) => `${((100 * part) / Math.max(1, report.tools)).toFixed(1)} %`;
  const times = ({ p50, p95, p99, max }) => `p50 ${p50}  p95 ${p95}  p99 ${p99}  max ${max} ms`;
  const lines = [
    `tools                        ${report.tools}`,
    `wholly by fields             ${report.toolsByFields} (${percent(report.toolsByFields)})`,
    `leaves shown                 ${report.leaves - report.leavesMissing} of ${report.leaves}`,
    `crashes                      ${report.crashes.length}`,
    `hangs (over ${HANG_MS} ms)         ${report.hangs.length}`,
    `untouched sends {}           ${report.tools - report.touched.length} (${percent(report.tools - report.touched.length)})`,
    `examples keep their text     ${report.tools - report.changed.length} (${percent(report.tools - report.changed.length)})`,
    `tools with unnamed controls  ${report.unlabelled.length}`,
    `errors shown at their field  ${report.findingsAtTheirField} of ${report.findings}`,
    `schemas not checked          ${report.unchecked.length}`,
    `policy violations            ${report.policyViolations.length}`,
    `build                        ${times(report.ms.build)}`,
    `mount, empty                 ${times(report.ms.mountEmpty)}`,
    `mount, full                  ${times(report.ms.mountFull)}`,
    `key to paint, 2,000 fields   ${times(report.typing)}`,
    `fields                       ${Object.entries(report.fields)
      .sort((a, b) => b[1] - a[1])
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ')}`,
    ...report.crashes.map(({ file, name, crash }) => `crash  ${file}: ${name}: ${crash}`),
    ...report.jsonBoxes.flatMap(({ file, name, boxes, places }) => [
      `JSON   ${file}: ${name}${boxes.length === 0 ? ` ${JSON.stringify(places)}` : ''}`,
      ...boxes.slice(0, 5).map(({ path, because }) => `         ${path || '(root)'}: ${because}`),
    ]),
    ...report.lost.slice(0, 20).map((each) => `lost   ${each}`),
    ...report.unchecked.map((each) => `unchecked  ${each}`),
    ...report.touched.map((each) => `touched  ${each}`),
    ...report.changed.map((each) => `changed  ${each}`),
    ...report.unlabelled.map((each) => `unnamed  ${each}`),
    ...report.slowest.map(
      ({ file, name, mountMs, mountFullMs }) =>
        `slow   ${file}: ${name}: ${mountMs.toFixed(0)} ms empty, ${mountFullMs.toFixed(0)} ms full`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
