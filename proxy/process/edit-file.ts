import { spawn } from 'node:child_process';
import { helperEnvironment } from './environment';

/**
 * Runs an editor on a file, in this terminal. Resolves once it has ended: with an error's sentence if it could not be
 * started or failed.
 */
export function editFile([command = '', ...args]: readonly string[], path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args, path], { stdio: 'inherit', env: helperEnvironment(process.env) });
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code) => resolve(code === 0 ? undefined : `it ended with code ${code}`));
  });
}
