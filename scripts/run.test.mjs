import { expect, test } from 'vitest';
import { run } from './run.mjs';

test('a program that hangs and ignores SIGTERM ends at its limit', async () => {
  const hangs = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
  expect(await run(process.execPath, ['-e', hangs], { timeout: 1000 })).toBe(128);
});
