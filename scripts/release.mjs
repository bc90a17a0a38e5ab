// `npm run release -- 1.2.3`: commits a version: package.json, package-lock.json, and the date in CHANGELOG.md. It
// prints the commands that push it and its tag, which publishes it (.github/workflows/release.yml).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangelog } from './changelog.mjs';
import { git } from './git.mjs';

const root = join(import.meta.dirname, '..');

function release(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version ?? ''))
    throw new Error('Name the version, for example `npm run release -- 1.2.3`.');
  const changes = git(['status', '--porcelain']);
  if (changes !== '') throw new Error(`Commit or stash your changes first:\n${changes}`);
  const [newest] = git(['tag', '--list', 'v[0-9]*', '--sort=-version:refname']).split('\n');
  if (newest && !isNewer(version, newest.slice(1))) {
    throw new Error(
      `${version} is not newer than ${newest}. A version is published once, and the newest is \`latest\`.`,
    );
  }
  const changelog = read('CHANGELOG.md');
  const [next, ...others] = readChangelog(changelog);
  if (others.some((section) => section.version === version) || next?.date !== 'unreleased') {
    throw new Error(`CHANGELOG.md must begin with what is new: "## ${version} (unreleased)" and a text.`);
  }
  if (next.body === '') throw new Error(`"${next.heading}" in CHANGELOG.md has no text.`);

  const date = new Date().toISOString().slice(0, 10);
  write('CHANGELOG.md', changelog.replace(next.heading, `## ${version} (${date})`));
  setVersion('package.json', version);
  setVersion('package-lock.json', version);
  git(['commit', '--quiet', '--all', '--message', `release: ${version}`]);
  const branch = git(['branch', '--show-current']);
  process.stdout.write(`Committed ${version}. Look at it with \`git show\`. To publish it:

  git push origin ${branch}
  npm run test:long -- --verify
  git tag --annotate v${version} --message v${version} && git push origin v${version}
`);
}

/** Changes nothing but the version, also in the lock's entry of the project itself. */
function setVersion(path, version) {
  const text = read(path);
  const json = JSON.parse(text);
  json.version = version;
  if (json.packages) json.packages[''].version = version;
  write(path, `${JSON.stringify(json, null, 2)}\n`);
}

function isNewer(a, b) {
  return a.localeCompare(b, 'en', { numeric: true }) > 0;
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

function write(path, text) {
  writeFileSync(join(root, path), text);
}

try {
  release(process.argv[2]);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
