// `npm test`: everything a fresh clone needs, then the unit tests, then the tests that start the CLI and a browser.
// On CI a failed test runs again; those that then pass (`flaky`) and those that fail are named at the end. The last
// line sums over the runners: `N passed, N failed`.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensure, ensureInstalled } from './ensure.mjs';
import { runNode } from './run.mjs';

const root = join(import.meta.dirname, '..');
const results = join(root, 'node_modules', '.cache', 'mcp-inspect', 'results');

/** Limit for one runner, in minutes, so that one that hangs is named. On a quiet machine each needs 5 to 15. */
const LIMIT_MINUTES = 60;
const timeout = LIMIT_MINUTES * 60_000;

/** The runners, and how to read their JSON reports. */
const RUNNERS = [
  {
    name: 'vitest',
    async run(report) {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      return runNode('node_modules/vitest/vitest.mjs', ['run', ...reporters], { timeout });
    },
    count: (json) => ({
      passed: json.numPassedTests,
      failed: json.numFailedTests,
      skipped: json.numPendingTests + json.numTodoTests,
    }),
    flaky: (json) =>
      unitTests(json, ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0),
    lost: (json) => unitTests(json, ({ status }) => status === 'failed'),
  },
  {
    name: 'playwright',
    async run(report) {
      const { ensureBrowser } = await import('./browser.mjs');
      const env = { MCP_INSPECT_BROWSER: ensureBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
      return runNode('node_modules/@playwright/test/cli.js', ['test', '--reporter=line,json'], { env, timeout });
    },
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }),
    flaky: (json) => browserTests(json, 'flaky'),
    lost: (json) => browserTests(json, 'unexpected'),
  },
];

/** Returns the names of those tests in Vitest's report that `is` is true for. */
function unitTests({ testResults }, is) {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(is).map(({ fullName }) => `${relative(root, name)}: ${fullName}`),
  );
}

/** Returns the names of tests with this status of a suite in Playwright's report, and of the suites in it. */
function browserTests({ suites = [], specs = [] }, status) {
  const own = specs.filter(({ tests }) => tests.some((test) => test.status === status));
  return [
    ...own.map(({ file, title }) => `e2e/${file}: ${title}`),
    ...suites.flatMap((suite) => browserTests(suite, status)),
  ];
}

async function runAll() {
  await ensure();
  await ensureInstalled('e2e/servers');
  const total = { passed: 0, failed: 0, skipped: 0, flaky: [], lost: [] };
  for (const runner of RUNNERS) {
    const { flaky, lost, ...counts } = await runOne(runner);
    for (const key of Object.keys(counts)) total[key] += counts[key];
    total.flaky.push(...flaky);
    total.lost.push(...lost);
  }
  return total;
}

/** Runs one runner. One that fails without a failed test (it hangs, or a file does not load) counts as one failure. */
async function runOne({ name, run, count, flaky, lost }) {
  const report = join(results, `${name}.json`);
  rmSync(report, { force: true });
  const begun = performance.now();
  try {
    const code = await run(report);
    if (performance.now() - begun >= timeout) return failure(`${name}: did not end within ${LIMIT_MINUTES} minutes`);
    if (!existsSync(report)) return failure(`${name}: ended with exit code ${code}, and left no report`);
    const json = JSON.parse(readFileSync(report, 'utf8'));
    const counts = { ...count(json), flaky: flaky(json), lost: lost(json) };
    if (code === 0 || counts.failed > 0) return counts;
    return { ...counts, failed: 1, lost: [`${name}: ended with exit code ${code}, but without a failed test`] };
  } catch (error) {
    return failure(`${name}: ${error.message}`);
  }
}

function failure(reason) {
  return { passed: 0, failed: 1, skipped: 0, flaky: [], lost: [reason] };
}

let total = { passed: 0, failed: 1, skipped: 0, flaky: [], lost: [] };
try {
  total = await runAll();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
}
if (total.failed > 0) process.exitCode = 1;
for (const name of total.flaky) process.stdout.write(`flaky: ${name}\n`);
for (const name of total.lost) process.stdout.write(`failed: ${name}\n`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
