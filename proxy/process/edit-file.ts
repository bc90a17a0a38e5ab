import { spawn } from 'node:child_process';
import { helperEnvironment } from './environment';
import { resolveWindowsCommand } from './spawn';

/**
 * Runs an editor on a file, in this terminal, and waits for its end. Resolves with an error's sentence if it could not
 * start, or failed. On Windows, rejects if PATH does not lead to it.
 */
export async function editFile([command = '', ...words]: readonly string[], path: string): Promise<string | undefined> {
  const [env, args] = [helperEnvironment(process.env), [...words, path]];
  const request = { command, args, cwd: process.cwd(), env };
  const [program, given] = process.platform === 'win32' ? resolveWindowsCommand(request) : [command, args];
  return new Promise((resolve) => {
    const child = spawn(program, given, { stdio: 'inherit', env });
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code) => resolve(code === 0 ? undefined : `it ended with code ${code}`));
  });
}
