import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { git } from './git.mjs';
import { pinImages, pinUses, releasesOf } from './pin-actions.mjs';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const releases = () =>
  new Map([
    ['v5.0.0', A],
    ['v5.1.0', B],
  ]);

test.each([
  ['uses: owner/action@v5', `uses: owner/action@${B} # v5.1.0`],
  ['uses: owner/action@v5.0.0', `uses: owner/action@${A} # v5.0.0`],
  [`uses: owner/action@${B} # v5.0.0`, `uses: owner/action@${A} # v5.0.0`],
  ['uses: owner/action/folder@v5', `uses: owner/action/folder@${B} # v5.1.0`],
  ['uses: ./.github/actions/check', 'uses: ./.github/actions/check'],
])('pins %s', (text, pinned) => {
  expect(pinUses(text, releases)).toBe(pinned);
});

test('--newest takes the newest release, and an unknown version is an error', () => {
  expect(pinUses(`uses: owner/action@${A} # v5.0.0`, releases, true)).toBe(`uses: owner/action@${B} # v5.1.0`);
  expect(() => pinUses('uses: owner/action@v6', releases)).toThrow('owner/action has no release v6.');
});

test('releases are read from the tags of the repository, and a tag with a message stands for its commit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-pins-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const repository = join(folder, 'owner', 'action');
  mkdirSync(repository, { recursive: true });
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const run = (...args) => git([...author, ...args], repository);
  run('init', '--quiet');
  run('commit', '--quiet', '--allow-empty', '--message', 'one');
  const first = run('rev-parse', 'HEAD');
  run('-c', 'tag.gpgsign=false', 'tag', '--annotate', 'v9.0.0', '--message', 'nine');
  run('commit', '--quiet', '--allow-empty', '--message', 'two');
  run('tag', 'v10.0.0');
  run('tag', 'v10');
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', `url.${folder}/.insteadOf`);
  vi.stubEnv('GIT_CONFIG_VALUE_0', 'https://github.com/');
  onTestFinished(() => vi.unstubAllEnvs());
  expect([...releasesOf('owner/action')]).toEqual([
    ['v9.0.0', first],
    ['v10.0.0', run('rev-parse', 'HEAD')],
  ]);
});

test('images are pinned by digest, once each', async () => {
  const asked = [];
  const digest = async (image, tag) => {
    asked.push(`${image}:${tag}`);
    return `sha256:${'1'.repeat(64)}`;
  };
  const pinned = `node:22-slim@sha256:${'1'.repeat(64)}`;
  const text = `FROM node:22-slim AS build\nFROM scratch AS package\nFROM node:22-slim@sha256:${'0'.repeat(64)}\n`;
  expect(await pinImages(text, digest)).toBe(`FROM ${pinned} AS build\nFROM scratch AS package\nFROM ${pinned}\n`);
  expect(asked).toEqual(['node:22-slim']);
});
