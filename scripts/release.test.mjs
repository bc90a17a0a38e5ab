import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { git } from './git.mjs';

const ROOT = join(import.meta.dirname, '..');
const NEEDED = [
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
  'scripts/release.mjs',
  'scripts/changelog.mjs',
  'scripts/git.mjs',
];
const CHANGELOG = '# Changelog\n\n## 0.1.0 (unreleased)\n\nThe first version.\n';
let clone;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'mcp-inspect-release-'));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  mkdirSync(join(clone, 'scripts'));
  for (const path of NEEDED) cpSync(join(ROOT, path), join(clone, path));
  git(['init', '--quiet', '--initial-branch=main'], clone);
  for (const [key, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.com'],
    ['commit.gpgsign', 'false'],
  ]) {
    git(['config', key, value], clone);
  }
  commit(CHANGELOG);
});

/** Commits this changelog. */
function commit(changelog) {
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog);
  git(['add', '.'], clone);
  git(['commit', '--quiet', '--message', 'changelog: change'], clone);
}

function release(...args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/release.mjs', ...args], {
    cwd: clone,
    encoding: 'utf8',
  });
  return { stdout, stderr, status };
}

function read(path) {
  return readFileSync(join(clone, path), 'utf8');
}

test('makes one commit with the version and the date, and says how to push it', () => {
  const before = git(['rev-parse', 'HEAD'], clone);
  const { stdout, status } = release('0.2.0');
  expect(status).toBe(0);
  expect(stdout).toContain('git tag --annotate v0.2.0 --message v0.2.0 && git push origin v0.2.0');
  expect(git(['log', '--format=%s', `${before}..`], clone)).toBe('release: 0.2.0');
  expect(git(['status', '--porcelain'], clone)).toBe('');
  expect(read('CHANGELOG.md')).toMatch(/^## 0\.2\.0 \(\d{4}-\d{2}-\d{2}\)$/m);
  const lock = JSON.parse(read('package-lock.json'));
  expect([JSON.parse(read('package.json')).version, lock.version, lock.packages[''].version]).toEqual(
    Array(3).fill('0.2.0'),
  );
  // Nothing but versions and the date: 1, 2 and 1 lines.
  expect(git(['diff', '--numstat', before], clone).replaceAll('\t', ' ').split('\n')).toEqual([
    '1 1 CHANGELOG.md',
    '2 2 package-lock.json',
    '1 1 package.json',
  ]);
  expect(git(['tag'], clone)).toBe('');
});

test('the version that package.json has already can be released', () => {
  expect(release('0.1.0').status).toBe(0);
});

test.each([
  ['no version', [], () => {}, 'Name the version'],
  ['a prerelease', ['1.0.0-beta.1'], () => {}, 'Name the version'],
  [
    'changes',
    ['0.1.0'],
    () => writeFileSync(join(clone, 'new.txt'), ''),
    'Commit or stash your changes first:\n?? new.txt',
  ],
  ['a version that exists', ['0.1.0'], () => git(['tag', 'v0.1.0'], clone), '0.1.0 is not newer than v0.1.0'],
  ['a version that is older', ['0.9.0'], () => git(['tag', 'v0.10.0'], clone), '0.9.0 is not newer than v0.10.0'],
  [
    'a section without text',
    ['0.1.0'],
    () => commit('# Changelog\n\n## 0.1.0 (unreleased)\n\n## 0.0.1 (2026-01-31)\n\nThe first version.\n'),
    '"## 0.1.0 (unreleased)" in CHANGELOG.md has no text.',
  ],
  [
    'a changelog without a new section',
    ['0.2.0'],
    () => commit('# Changelog\n\n## 0.1.0 (2026-01-31)\n\nThe first version.\n'),
    'CHANGELOG.md must begin with what is new',
  ],
])('refuses %s, and changes nothing', (_, args, prepare, sentence) => {
  prepare();
  const before = [git(['rev-parse', 'HEAD'], clone), git(['status', '--porcelain'], clone)];
  const { stderr, status } = release(...args);
  expect(stderr).toContain(sentence);
  expect(status).toBe(1);
  expect([git(['rev-parse', 'HEAD'], clone), git(['status', '--porcelain'], clone)]).toEqual(before);
});
