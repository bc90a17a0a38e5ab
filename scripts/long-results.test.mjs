import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { changedSince, git } from './git.mjs';
import { whyNotRecorded, whyStale } from './long-results.mjs';

const TOPIC = { topic: 'kills', rooms: ['lib/a', 'proxy/b'], tests: ['e2e/kills.spec.ts'] };
let repository;

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'mcp-inspect-long-'));
  onTestFinished(() => rmSync(repository, { recursive: true, force: true }));
  git(['init', '--quiet', '--initial-branch=main'], repository);
  commit('lib/a/one.ts', 'lib: begin');
});

function write(path, text = path) {
  mkdirSync(join(repository, path, '..'), { recursive: true });
  writeFileSync(join(repository, path), text);
}

/** Commits a change of a file. */
function commit(path, subject) {
  write(path, subject);
  git(['add', '.'], repository);
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  git([...author, 'commit', '--quiet', '--message', subject], repository);
}

function result(fields = {}) {
  return { commit: git(['rev-parse', 'HEAD'], repository), passed: 3, failed: 0, ...fields };
}

test('a passing result holds until a file of its rooms changes', () => {
  const passing = result();
  expect(whyStale(TOPIC, passing, repository)).toBe(undefined);
  commit('lib/other/one.ts', 'other: change');
  expect(whyStale(TOPIC, passing, repository)).toBe(undefined);
  commit('proxy/b/deep/two.ts', 'b: change');
  expect(whyStale(TOPIC, passing, repository)).toMatch(
    /^kills: its result is older than the commit "\w+ b: change"\.$/,
  );
  commit('lib/a/one.ts', 'a: change');
  commit('lib/a/one.ts', 'a: change again');
  expect(whyStale(TOPIC, passing, repository)).toMatch(/ b: change" and 2 later ones\.$/);
  expect(whyStale(TOPIC, result(), repository)).toBe(undefined);
});

test('a changed test needs a new result', () => {
  const passing = result();
  commit('e2e/kills.spec.ts', 'e2e: more kills');
  expect(whyStale(TOPIC, passing, repository)).toContain('e2e: more kills');
});

test('a file that was deleted or moved away needs a new result', () => {
  const passing = result();
  git(['mv', 'lib/a/one.ts', 'moved.ts'], repository);
  commit('unrelated.ts', 'lib: move a file');
  expect(whyStale(TOPIC, passing, repository)).toContain('lib: move a file');
});

test('a missing, failed, empty or unknown result needs a new one', () => {
  expect(whyStale(TOPIC, undefined, repository)).toBe('kills: has no result.');
  expect(whyStale(TOPIC, result({ failed: 1 }), repository)).toBe('kills: 3 tests passed and 1 failed.');
  expect(whyStale(TOPIC, result({ passed: 0 }), repository)).toBe('kills: 0 tests passed and 0 failed.');
  expect(whyStale(TOPIC, result({ commit: 'f'.repeat(40) }), repository)).toContain(
    'git does not know the commit ffff',
  );
});

test('a result is not recorded with uncommitted files in its rooms', () => {
  expect(whyNotRecorded(TOPIC, repository)).toBe(undefined);
  write('lib/other/two.ts');
  expect(whyNotRecorded(TOPIC, repository)).toBe(undefined);
  write('lib/a/two.ts');
  expect(whyNotRecorded(TOPIC, repository)).toBe('kills: the result is not recorded, because 1 file is not committed.');
  write('lib/a/one.ts', 'changed');
  expect(whyNotRecorded(TOPIC, repository)).toContain('because 2 files are not committed');
});

test('changes since a commit are committed, uncommitted, deleted and untracked files', () => {
  const base = git(['rev-parse', 'HEAD'], repository);
  commit('lib/a/committed.ts', 'a: add');
  rmSync(join(repository, 'lib/a/one.ts'));
  write('lib/a/an untracked file.ts');
  expect(changedSince(base, repository).sort()).toEqual([
    'lib/a/an untracked file.ts',
    'lib/a/committed.ts',
    'lib/a/one.ts',
  ]);
});
