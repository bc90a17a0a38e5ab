import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Runs the script with a program in place of docker, which notes its arguments and answers about a container. */
function tryImage({ user = 'node', states }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-image-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const calls = join(folder, 'calls');
  const docker = `#!/bin/sh
echo "$@" >> '${calls}'
case "$*" in
  image*) echo '${user}' ;;
  run*) echo id ;;
  inspect*) sed -n "$(grep -c ^inspect '${calls}')p" '${folder}/states' ;;
  logs*) echo 'could not write' ;;
esac
`;
  writeFileSync(join(folder, 'docker'), docker, { mode: 0o755 });
  writeFileSync(join(folder, 'states'), `${states.join('\n')}\n`);
  const script = join(import.meta.dirname, 'try-image.mjs');
  const env = { ...process.env, DOCKER: join(folder, 'docker') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'some:image'], { env, encoding: 'utf8' });
  return { status, stdout, stderr, calls: readFileSync(calls, 'utf8') };
}

test.skipIf(process.platform === 'win32')('waits until the container is healthy, and removes it', () => {
  const { status, stdout, calls } = tryImage({ states: ['starting', 'healthy'] });
  expect(status).toBe(0);
  expect(stdout).toBe('some:image runs as node with a read-only file system, and is healthy.\n');
  expect(calls).toMatch(/^run --detach --init --read-only .* some:image --demo$/m);
  expect(calls).toMatch(/^rm --force --volumes id$/m);
});

test.skipIf(process.platform === 'win32')('an unhealthy container fails with its output, and is removed', () => {
  const { status, stderr, calls } = tryImage({ states: ['unhealthy'] });
  expect(status).toBe(1);
  expect(stderr).toContain('some:image is unhealthy:\ncould not write');
  expect(calls).toMatch(/^rm --force --volumes id$/m);
});

test.skipIf(process.platform === 'win32')('an image that runs as root fails', () => {
  const { status, stderr, calls } = tryImage({ user: '', states: [] });
  expect([status, stderr]).toEqual([1, 'some:image runs as root.\n']);
  expect(calls).not.toContain('run');
});
