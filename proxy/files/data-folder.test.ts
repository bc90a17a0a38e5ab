import { lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeFolder, recordingsFolder } from './data-folder';

test.each([
  ['linux', {}, '/home/ann', '/home/ann/.local/share/mcp-inspect/recordings'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/home/ann', '/data/mcp-inspect/recordings'],
  ['linux', { XDG_DATA_HOME: 'data' }, '/home/ann', '/home/ann/.local/share/mcp-inspect/recordings'],
  ['linux', { XDG_DATA_HOME: '/data', MCP_INSPECT_HOME: '/mine' }, '/home/ann', '/mine/recordings'],
  ['darwin', {}, '/Users/ann', '/Users/ann/Library/Application Support/mcp-inspect/recordings'],
  ['win32', { LOCALAPPDATA: 'C:\\L' }, 'C:\\U', 'C:\\L\\mcp-inspect\\recordings'],
] as const)('%s with %j', (platform, env, home, folder) => {
  expect(recordingsFolder({ platform, env, home })).toBe(folder);
});

test.each([
  ['linux', { MCP_INSPECT_HOME: 'data' }, '/home/ann'],
  ['linux', { MCP_INSPECT_HOME: '~/data' }, '/home/ann'],
  ['linux', {}, 'home'],
  ['win32', { LOCALAPPDATA: 'L' }, 'C:\\U'],
] as const)(
  'attack: %s with %j and home %s does not make the working directory the data folder',
  (platform, env, home) => {
    expect(() => recordingsFolder({ platform, env, home })).toThrow(expect.objectContaining({ code: 'relative-home' }));
  },
);

describe.skipIf(process.platform === 'win32')('the folder', () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  });
  afterEach(() => rmSync(base, { recursive: true }));

  test('is made for its owner alone', () => {
    makeFolder(join(base, 'a/b'));
    expect(statSync(join(base, 'a/b')).mode & 0o777).toBe(0o700);
  });

  test('is closed to others if it was open', () => {
    mkdirSync(join(base, 'a'), { mode: 0o755 });
    makeFolder(join(base, 'a'));
    expect(statSync(join(base, 'a')).mode & 0o777).toBe(0o700);
  });

  test('is not a link to elsewhere', () => {
    mkdirSync(join(base, 'elsewhere'), { mode: 0o755 });
    symlinkSync(join(base, 'elsewhere'), join(base, 'a'));
    expect(() => makeFolder(join(base, 'a'))).toThrow(expect.objectContaining({ code: 'linked-folder' }));
    symlinkSync(join(base, 'nowhere'), join(base, 'b'));
    expect(() => makeFolder(join(base, 'b'))).toThrow(expect.objectContaining({ code: 'linked-folder' }));
    expect(lstatSync(join(base, 'elsewhere')).mode & 0o777).toBe(0o755);
  });
});
