import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { treeMemory } from './tree-memory';

/** Bytes that the child of the child keeps. */
const KEPT = 80 * 1024 * 1024;

test.runIf(process.platform === 'linux')('counts the memory of descendants', async () => {
  const script = `const kept = Buffer.alloc(${KEPT}, 1); console.log(kept.length); setInterval(() => {}, 1000)`;
  const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}], { stdio: 'inherit' })`;
  const child = spawn(process.execPath, ['-e', parent], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    await once(child.stdout, 'data');
    expect(treeMemory(child.pid!)).toBeGreaterThan(KEPT);
  } finally {
    process.kill(-child.pid!, 'SIGKILL');
    await once(child, 'exit');
  }
  expect(treeMemory(child.pid!)).toBeUndefined();
});
