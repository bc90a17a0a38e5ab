import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { SpawnRequest } from './spawn';

const PYTHON = /(?:^|[\\/])(?:python[\d.]*|pypy[\d.]*)(?:\.exe)?$/i;
/** Usual names of folders with a virtual environment, and the interpreter in it. */
const FOLDERS = ['.venv', 'venv'];
const INSIDE = process.platform === 'win32' ? join('Scripts', 'python.exe') : join('bin', 'python');

/** The Python that a command starts, and one of a virtual environment that the project has. */
export interface PythonInterpreter {
  readonly program?: string;
  readonly venv?: string;
}

/** Returns which Python a command starts; {} for other commands. The paths explain a package that is missing. */
export function pythonInterpreter({ command, args, cwd, env }: SpawnRequest): PythonInterpreter {
  if (!PYTHON.test(command)) return {};
  const folders = /[\\/]/.test(command) ? [cwd] : (env.PATH ?? '').split(delimiter).filter(Boolean);
  const program = folders.map((folder) => resolve(cwd, folder, command)).find(existsSync);
  const script = args.find((word) => word.endsWith('.py'));
  const beside = script === undefined ? [] : [dirname(resolve(cwd, script)), dirname(dirname(resolve(cwd, script)))];
  const venv = [cwd, ...beside]
    .flatMap((folder) => FOLDERS.map((name) => join(folder, name, INSIDE)))
    .find((path) => existsSync(path) && path !== program);
  return { ...(program !== undefined && { program }), ...(venv !== undefined && { venv }) };
}
