import { spawn } from 'node:child_process';

/**
 * Starts this program with other words, as a process that outlives this one: a host that ends a tap does not wait for
 * an upload. It gets this environment, which may have the keys of a store. Never throws.
 */
export function startInBackground(program: string, words: readonly string[]): void {
  const child = spawn(process.execPath, [program, ...words], {
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
    env: process.env,
  });
  // The next start uploads it.
  child.once('error', () => {});
  child.unref();
}
