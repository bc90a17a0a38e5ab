import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openUrl } from './open-url';

/** Holds an `xdg-open` that writes its arguments to a file. */
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-open-'));
const opened = join(folder, 'opened');
writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1$MCP_INSPECT_CLIENT_SECRET" > '${opened}'\n`, {
  mode: 0o755,
});
afterAll(() => rmSync(folder, { recursive: true }));
const desktop = { DISPLAY: ':0', PATH: folder };

test.skipIf(process.platform === 'win32')('opens our own page, without our variables', async () => {
  const url = 'http://127.0.0.1:1/#launch=a-_B';
  expect(await openUrl(url, 'linux', { ...desktop, MCP_INSPECT_CLIENT_SECRET: 'x' })).toBe(true);
  await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(url));
  rmSync(opened);
});

test.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://example.com/',
  'http://127.0.0.1:1/$(id)',
  'http://127.0.0.1:1/;id',
  'http://127.0.0.1:1/"&calc&"',
  'http://user@evil/',
  '--help',
  'http://127.0.0.1:1/#a b',
])('never passes %s to another program', async (url) => {
  expect(await openUrl(url, 'linux', desktop)).toBe(false);
  expect(existsSync(opened)).toBe(false);
});

test.each([
  ['without a desktop', 'linux', { PATH: folder }],
  ['on an unknown platform', 'aix', desktop],
  ['without the program', 'linux', { DISPLAY: ':0', PATH: join(folder, 'none') }],
])('opens nothing %s', async (_, platform, environment) => {
  expect(await openUrl('http://127.0.0.1:1/#launch=x', platform, environment)).toBe(false);
});
