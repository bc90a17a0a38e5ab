import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Runs a program in the project's root with our output. Resolves to its exit code, 128 or more after a signal.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, quiet?: boolean, cwd?: string, timeout?: number }} [options] quiet: output is
 *   shown only on failure; timeout: SIGKILL ends the program after this many ms, because what hangs may ignore others
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    timeout: options.timeout,
    killSignal: 'SIGKILL',
    stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  const output = [];
  child.stdout?.on('data', (chunk) => output.push(chunk));
  child.stderr?.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) process.stderr.write(Buffer.concat(output));
      resolve(code ?? 128);
    });
  });
}

/** Runs a script of ours, or a package's bin by its path under node_modules, with this Node. */
export function runNode(path, args = [], options = {}) {
  return run(process.execPath, [join(root, path), ...args], options);
}

/** Runs npm: the one that runs us, or the one beside this Node. It needs no shell, on Windows either. */
export function runNpm(args, options = {}) {
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) return run(process.execPath, [npm, ...args], options);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options);
}
