import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isProgram } from './on-path';

test('a program is looked for in every folder, with the endings that the system adds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'on-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['tool', 'other.CMD']) writeFileSync(join(folder, name), '');
  const environment = { PATH: ['/nowhere', '', folder].join(delimiter), PATHEXT: '.EXE;.CMD' };
  expect(isProgram('tool', environment, '/nowhere')).toBe(true);
  expect(isProgram('other', environment, '/nowhere')).toBe(true);
  expect(isProgram('other', { PATH: folder }, '/nowhere')).toBe(false);
  expect(isProgram('tool', {}, folder)).toBe(false);
});

test('a path is looked for where the command line was typed, not on PATH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'on-path-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'example.com'));
  writeFileSync(join(folder, 'example.com', 'mcp'), '');
  expect(isProgram('example.com/mcp', {}, folder)).toBe(true);
  expect(isProgram('example.com/mcp', { PATH: folder }, '/nowhere')).toBe(false);
});
