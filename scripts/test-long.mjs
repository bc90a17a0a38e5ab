// `npm run test:long`: the tests of scripts/long-tests.mjs in their long form. `-- TOPIC…` runs topics by name, and
// `-- --changed` those whose rooms changed since their last result. Each result is written to bench/test-long.json, to
// be committed. `-- --verify` runs nothing, and fails if a topic has no passing result for the present code.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensure, ensureInstalled } from './ensure.mjs';
import { git } from './git.mjs';
import { whyNotRecorded, whyStale } from './long-results.mjs';
import { LONG_TESTS } from './long-tests.mjs';
import { conclude, failure, runTests, sumOf } from './runners.mjs';

const RESULTS = join(import.meta.dirname, '..', 'bench', 'test-long.json');
/** Limit for one runner of one topic, in minutes, so that one that hangs is named. */
const LIMIT_MINUTES = 180;

function readResults() {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
}

function record(topic, result) {
  const results = { ...readResults(), [topic]: result };
  const known = LONG_TESTS.map((row) => [row.topic, results[row.topic]]).filter(([, value]) => value);
  writeFileSync(RESULTS, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}

/** Returns the rows to run. @param {readonly string[]} topics @param {boolean} changed */
function choose(topics, changed) {
  const unknown = topics.filter((topic) => !LONG_TESTS.some((row) => row.topic === topic));
  if (unknown.length > 0) {
    throw new Error(
      `Unknown topic: ${unknown.join(', ')}. Choose from: ${LONG_TESTS.map((row) => row.topic).join(', ')}.`,
    );
  }
  const named = LONG_TESTS.filter((row) => topics.length === 0 || topics.includes(row.topic));
  const results = readResults();
  return changed ? named.filter((row) => whyStale(row, results[row.topic])) : named;
}

async function runTopic(row) {
  process.stdout.write(`\n# ${row.topic}\n`);
  const commit = git(['rev-parse', 'HEAD']);
  const before = whyNotRecorded(row);
  const begun = performance.now();
  const browser = row.tests.filter((path) => path.endsWith('.spec.ts'));
  const units = row.tests.filter((path) => !browser.includes(path));
  const options = { env: { TEST_LONG: '1' }, limitMinutes: LIMIT_MINUTES };
  const results = [];
  if (units.length > 0) results.push(await runTests('vitest', { args: units, ...options }));
  if (browser.length > 0) {
    await ensure();
    results.push(await runTests('playwright', { args: [...browser, '--project=chromium'], ...options }));
  }
  const { passed, failed, ...others } = sumOf(results);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const load = Number(loadavg()[2].toFixed(1));
  // Files can change while the tests run.
  const obstacle = before ?? whyNotRecorded(row);
  if (obstacle === undefined) {
    record(row.topic, { date: new Date().toISOString(), commit, passed, failed, seconds, load });
  }
  process.stdout.write(`${obstacle ?? `${row.topic}: recorded in bench/test-long.json.`}\n`);
  return { passed, failed, ...others };
}

async function runLong() {
  const options = { changed: { type: 'boolean', default: false }, verify: { type: 'boolean', default: false } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const rows = choose(positionals, values.changed);
  if (values.verify) return verify(rows);
  await ensureInstalled('.');
  await ensureInstalled('e2e/servers');
  const results = [];
  for (const row of rows) results.push(await runTopic(row));
  return sumOf(results);
}

/** Counts each topic as one test. */
function verify(rows) {
  const results = readResults();
  const stale = rows.map((row) => whyStale(row, results[row.topic])).filter((reason) => reason !== undefined);
  return { ...sumOf([]), passed: rows.length - stale.length, failed: stale.length, lost: stale };
}

conclude(await runLong().catch((error) => failure(error.message)));
