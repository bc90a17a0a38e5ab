// `npm run test:quick [-- --since REF]`: `npm run check`, then the unit tests that the change since `main` reaches,
// nearest first, for up to three minutes on two cores. It needs no build and no browser. The last line is `N passed, N
// failed`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseTests, reachedTests } from './choose-tests.mjs';
import { ensureInstalled } from './ensure.mjs';
import { changedSince, git, isCommit } from './git.mjs';
import { runNode } from './run.mjs';
import { conclude, failure, runTests, sumOf } from './runners.mjs';
import { trackedFiles } from './tracked-files.mjs';

const root = join(import.meta.dirname, '..');
/** Seconds of CPU time for the tests. With 100 for `npm run check`, two cores need three minutes. */
const MOST_COST = 250;
/** Limit for the tests, in minutes, so that one that hangs is named. */
const LIMIT_MINUTES = 20;
/** So many tests are named; of more, only the numbers are printed. */
const MOST_NAMED = 30;

const print = (line) => process.stdout.write(`${line}\n`);
const files = (count) => `${count} ${count === 1 ? 'file' : 'files'}`;
const imports = (count) => `${count} ${count === 1 ? 'import' : 'imports'}`;

/** Returns the commit to compare with, and its name. @param {string | undefined} since */
function baseOf(since) {
  if (since !== undefined) return { name: since, commit: git(['rev-parse', '--verify', `${since}^{commit}`]) };
  const onMain = git(['rev-parse', '--abbrev-ref', 'HEAD']) === 'main';
  const name = onMain ? 'origin/main' : 'main';
  if (!isCommit(name)) throw new Error(`The branch ${name} does not exist. Name a commit: -- --since REF`);
  return { name, commit: git(['merge-base', 'HEAD', name]) };
}

/** Prints and returns the tests to run. */
function choose(since) {
  const { name, commit } = baseOf(since);
  const changed = changedSince(commit);
  const all = trackedFiles(/./);
  const modules = all.filter((path) => /\.(?:tsx?|mjs)$/.test(path));
  const texts = new Map(modules.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const { reached, setup } = reachedTests(texts, new Set(all), changed);
  const { chosen, leftOut } = chooseTests(reached, MOST_COST);
  print(
    `${files(changed.length)} changed since ${name} (${commit.slice(0, 8)}), reached from ${files(reached.length)} of unit tests`,
  );
  for (const one of chosen.length > MOST_NAMED ? [] : chosen) print(`  ${one.test}: ${reason(one)}`);
  for (const line of byDistance(chosen)) print(`runs: ${line}`);
  for (const line of byDistance(leftOut)) print(`left out: ${line}; \`npm test\` runs them`);
  for (const path of setup) print(`left out: every test, which ${path} reaches; \`npm test\` runs them`);
  return chosen.map(({ test }) => test);
}

/** Tests of code without Node. */
const PURE = /^(?:features\/[^/]+\/)?(?:lib|components)\//;

/** Returns the numbers of tests by part, and over how many imports they reach the change. */
function byDistance(tests) {
  const parts = [
    ['lib and components', tests.filter(({ test }) => PURE.test(test))],
    ['proxy and others', tests.filter(({ test }) => !PURE.test(test))],
  ];
  return parts
    .filter(([, some]) => some.length > 0)
    .map(([part, some]) => {
      const distances = some.map(({ distance }) => distance);
      const [least, most] = [Math.min(...distances), Math.max(...distances)];
      const range = least === most ? imports(most) : `${least} to ${most} imports`;
      return `${files(some.length)} of ${part} that reach the change over ${range}`;
    });
}

function reason({ distance, from }) {
  return distance === 0 ? 'changed' : `${imports(distance)} from ${from}`;
}

async function check() {
  const code = await runNode('scripts/check.mjs');
  return code === 0 ? sumOf([]) : failure('npm run check');
}

async function quick() {
  const { values } = parseArgs({ options: { since: { type: 'string' } } });
  const tests = choose(values.since);
  await ensureInstalled('.');
  // Tests of the proxy start servers of other packages.
  if (tests.some((test) => test.startsWith('proxy/'))) await ensureInstalled('e2e/servers');
  // One after the other: both keep two cores busy, and tests have time limits.
  const checked = await check();
  const units = tests.length > 0 ? await runTests('vitest', { args: tests, limitMinutes: LIMIT_MINUTES }) : sumOf([]);
  return sumOf([checked, units]);
}

conclude(await quick().catch((error) => failure(error.message)));
