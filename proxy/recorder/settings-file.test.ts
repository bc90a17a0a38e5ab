import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '@/lib/wire/settings';
import { KeptRecordings } from './kept-recordings';
import { SettingsFile } from './settings-file';

let base: string;
let folder: string;
let file: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  folder = join(base, 'recordings');
  file = join(base, 'settings.json');
});
afterEach(() => rmSync(base, { recursive: true }));

const content = () => JSON.parse(readFileSync(file, 'utf8'));

test('returns the defaults and creates no file', () => {
  expect(new SettingsFile(folder).read()).toEqual({ settings: DEFAULT_SETTINGS, file });
  expect(readdirSync(base)).toEqual([]);
});

test('keeps a change for the next process, readable only by its owner', async () => {
  const reply = await new SettingsFile(folder).change({ theme: 'dark' });
  expect(reply.settings).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' });
  expect(new SettingsFile(folder).read()).toEqual(reply);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(base).sort()).toEqual(['recordings', 'settings.json']);
});

test('shares the file with the retention of recordings, and keeps unknown members', async () => {
  writeFileSync(file, '{"theme":"blue","later":{"a":[1]}}');
  await new KeptRecordings(folder).keep({ days: 7, bytes: 1000 }, false);
  const { settings } = await new SettingsFile(folder).change({ density: 'compact' });
  expect(settings).toEqual({ ...DEFAULT_SETTINGS, density: 'compact' });
  expect(content()).toEqual({ theme: 'blue', later: { a: [1] }, keep: { days: 7, bytes: 1000 }, density: 'compact' });
  expect((await new KeptRecordings(folder).list()).keep).toEqual({ days: 7, bytes: 1000 });
});

test('loses no change when several arrive at once', async () => {
  const [one, two] = [new SettingsFile(folder), new SettingsFile(folder)];
  await Promise.all([
    one.change({ theme: 'dark' }),
    two.change({ density: 'compact' }),
    one.change({ timeoutMs: 1000 }),
    two.change({ singleKeys: false }),
  ]);
  expect(content()).toEqual({ theme: 'dark', density: 'compact', timeoutMs: 1000, singleKeys: false });
});

test.each(['', 'not ours', '[]', '{"theme":"da'])('never overwrites the unreadable file %j', async (text) => {
  writeFileSync(file, text);
  const settings = new SettingsFile(folder);
  expect(settings.read()).toMatchObject({ settings: DEFAULT_SETTINGS, failure: { code: 'settings-unreadable' } });
  await expect(settings.change({ theme: 'dark' })).rejects.toMatchObject({ code: 'settings-unreadable' });
  await expect(new KeptRecordings(folder).keep({ days: 7, bytes: 1000 }, true)).rejects.toMatchObject({
    code: 'settings-unreadable',
  });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.skipIf(process.platform === 'win32')('follows no link, and reads no folder', async () => {
  writeFileSync(join(base, 'elsewhere'), '{"theme":"dark"}');
  symlinkSync(join(base, 'elsewhere'), file);
  const settings = new SettingsFile(folder);
  expect(settings.read().failure?.code).toBe('settings-unreadable');
  await expect(settings.change({ theme: 'light' })).rejects.toMatchObject({ code: 'settings-unreadable' });
  expect(readFileSync(join(base, 'elsewhere'), 'utf8')).toBe('{"theme":"dark"}');
  rmSync(file);
  mkdirSync(file);
  expect(settings.read().failure?.code).toBe('settings-unreadable');
});
