// `npm test`: everything a fresh clone needs, then the unit tests, then the tests that start the CLI and a browser.
// On CI a failed test runs again; those that then pass (`flaky`) and those that fail are named at the end. The last
// line sums over the runners: `N passed, N failed`.
import { ensure, ensureInstalled } from './ensure.mjs';
import { conclude, failure, runTests, sumOf } from './runners.mjs';

/** Limit for one runner, in minutes, so that one that hangs is named. On a quiet machine each needs 5 to 15. */
const LIMIT_MINUTES = 60;
/** How many of the slowest tests are named. */
const SLOWEST = 20;

async function runAll() {
  await ensure();
  await ensureInstalled('e2e/servers');
  const results = [];
  for (const name of ['vitest', 'playwright']) {
    const begun = performance.now();
    results.push(await runTests(name, { limitMinutes: LIMIT_MINUTES }));
    process.stdout.write(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s\n`);
  }
  return sumOf(results);
}

conclude(await runAll().catch((error) => failure(error.message)), SLOWEST);
