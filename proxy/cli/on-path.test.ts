import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isOnPath } from './on-path';

test('a program is looked for in every folder, with the endings that the system adds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'on-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['tool', 'other.CMD']) writeFileSync(join(folder, name), '');
  const environment = { PATH: ['/nowhere', '', folder].join(delimiter), PATHEXT: '.EXE;.CMD' };
  expect(isOnPath('tool', environment)).toBe(true);
  expect(isOnPath('other', environment)).toBe(true);
  expect(isOnPath('other', { PATH: folder })).toBe(false);
  expect(isOnPath('tool', {})).toBe(false);
});
