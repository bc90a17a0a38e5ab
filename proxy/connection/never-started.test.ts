import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { Recorder } from '../recorder/recorder';
import { hostileTarget, openHub } from './test-hub';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const MISSING = { transport: 'stdio', command: '/nowhere/server', args: [] } as const;

async function hubWith(first?: string) {
  const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder, ...(first && { first }) });
  const opened = await openHub(systemClock, undefined, undefined, recorder);
  return { ...opened, tab: await opened.tab() };
}

test('a command that could not be started leaves no recording', async () => {
  const { hub, tab, close } = await hubWith();
  await tab.connect(MISSING, 'failed');
  await expect.poll(() => readdirSync(folder)).toEqual([]);
  expect(hub.connections()[0]).not.toHaveProperty('recordedIn');
  await tab.connect(hostileTarget('honest'), 'open');
  expect(readdirSync(folder)).toHaveLength(1);
  await close();
});

test('a file named by the user is kept', async () => {
  const named = join(folder, 'mine.mcpr.jsonl');
  const { tab, close } = await hubWith(named);
  await tab.connect(MISSING, 'failed');
  await close();
  expect(existsSync(named)).toBe(true);
});
