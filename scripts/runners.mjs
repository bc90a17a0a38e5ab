// Runs Vitest and Playwright, reads their JSON reports, and sums up what they found.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runNode } from './run.mjs';

const root = join(import.meta.dirname, '..');
const results = join(root, 'node_modules', '.cache', 'mcp-inspect', 'results');

/**
 * The runners, and how to read their JSON reports: the counts, the tests, and what failed outside any test (a hook, or
 * a file that does not load).
 */
const RUNNERS = {
  vitest: {
    async run(report, args, options) {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      return runNode('node_modules/vitest/vitest.mjs', ['run', ...reporters, ...args], options);
    },
    count: (json) => ({
      passed: json.numPassedTests,
      failed: json.numFailedTests,
      skipped: json.numPendingTests + json.numTodoTests,
    }),
    tests: ({ testResults }) =>
      testResults.flatMap(({ name, assertionResults }) =>
        assertionResults.map(({ fullName, status, failureMessages, duration }) => ({
          name: `${relative(root, name)}: ${fullName}`,
          flaky: status === 'passed' && failureMessages.length > 0,
          lost: status === 'failed',
          seconds: (duration ?? 0) / 1000,
        })),
      ),
    broken: ({ testResults }) =>
      testResults
        .filter((file) => file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed'))
        .map(({ name, message }) => `${relative(root, name)}: ${message.split('\n')[0]}`),
  },
  playwright: {
    async run(report, args, options) {
      const { ensureBrowser } = await import('./browser.mjs');
      const env = { ...options.env, MCP_INSPECT_BROWSER: ensureBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
      const words = ['test', '--reporter=line,json', ...args];
      return runNode('node_modules/@playwright/test/cli.js', words, { ...options, env });
    },
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }),
    tests: browserTests,
    broken: ({ errors }) => errors.map(({ message, value }) => (message ?? value ?? '').split('\n')[0]),
  },
};

/** Returns the tests of a suite in Playwright's report, and of the suites in it. */
function browserTests({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.map((test) => ({
      name: `e2e/${file}: ${title}`,
      flaky: test.status === 'flaky',
      lost: test.status === 'unexpected',
      seconds: test.results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
  );
  return [...own, ...suites.flatMap(browserTests)];
}

/**
 * @typedef {{ passed: number, failed: number, skipped: number, flaky: string[], lost: string[],
 *   timed: { name: string, seconds: number }[] }} Result
 */

/**
 * Runs one runner. What fails outside a test counts as a failure, and so does a runner that hangs.
 * @param {'vitest' | 'playwright'} name
 * @param {{ args?: readonly string[], env?: Record<string, string>, limitMinutes: number }} options limitMinutes: a
 *   runner that hangs is ended after so long
 * @returns {Promise<Result>}
 */
export async function runTests(name, { args = [], env, limitMinutes }) {
  const { run, count, tests, broken } = RUNNERS[name];
  const report = join(results, `${name}.json`);
  const timeout = limitMinutes * 60_000;
  rmSync(report, { force: true });
  const begun = performance.now();
  try {
    const code = await run(report, args, { env, timeout });
    if (performance.now() - begun >= timeout) return failure(`${name}: did not end within ${limitMinutes} minutes`);
    if (!existsSync(report)) return failure(`${name}: ended with exit code ${code}, and left no report`);
    const json = JSON.parse(readFileSync(report, 'utf8'));
    const found = tests(json);
    const names = (is) => found.filter((test) => test[is]).map((test) => test.name);
    const counts = count(json);
    const outside = broken(json);
    if (code !== 0 && counts.failed + outside.length === 0)
      outside.push(`${name}: exit code ${code} without a failure`);
    const failed = counts.failed + outside.length;
    return { ...counts, failed, flaky: names('flaky'), lost: [...names('lost'), ...outside], timed: found };
  } catch (error) {
    return failure(`${name}: ${error.message}`);
  }
}

/** Returns the result of something that failed before its tests could. @param {string} reason @returns {Result} */
export function failure(reason) {
  return { passed: 0, failed: 1, skipped: 0, flaky: [], lost: [reason], timed: [] };
}

/** @param {readonly Result[]} results @returns {Result} */
export function sumOf(results) {
  const total = { passed: 0, failed: 0, skipped: 0, flaky: [], lost: [], timed: [] };
  for (const { flaky, lost, timed, ...counts } of results) {
    for (const key of Object.keys(counts)) total[key] += counts[key];
    total.flaky.push(...flaky);
    total.lost.push(...lost);
    total.timed.push(...timed);
  }
  return total;
}

/**
 * Prints the slowest, flaky and failed tests, then `N passed, N failed`, and sets the exit code.
 * @param {Result} result
 * @param {number} slowest how many of them to print
 */
export function conclude({ passed, failed, skipped, flaky, lost, timed }, slowest = 0) {
  const print = (line) => process.stdout.write(`${line}\n`);
  const slow = timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowest);
  for (const { name, seconds } of slow) print(`slowest: ${seconds.toFixed(1)} s ${name}`);
  for (const name of flaky) print(`flaky: ${name}`);
  for (const name of lost) print(`failed: ${name}`);
  print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  if (failed > 0) process.exitCode = 1;
}
