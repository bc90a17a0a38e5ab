import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { readNamedFileNow } from '@/proxy/files/user-files';
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
  const found = folders.map((folder) => resolve(cwd, folder, command)).find((path) => existsSync(path));
  const program = found && (behindShim(found, cwd, env) ?? found);
  const script = args.find((word) => word.endsWith('.py'));
  const beside = script === undefined ? [] : [dirname(resolve(cwd, script)), dirname(dirname(resolve(cwd, script)))];
  const venv = [cwd, ...beside]
    .flatMap((folder) => FOLDERS.map((name) => join(folder, name, INSIDE)))
    .find((path) => existsSync(path) && path !== program);
  return { ...(program !== undefined && { program }), ...(venv !== undefined && { venv }) };
}

/** Bytes of a file that names a version. */
const VERSION_BYTES = 1024;

/** Returns the interpreter that a shim of pyenv runs: of a variable, of a file above the folder, or the default. */
function behindShim(path: string, cwd: string, env: NodeJS.ProcessEnv): string | undefined {
  const [, root, name] = /^(.*[\\/]\.?pyenv)[\\/]shims[\\/]([^\\/]+)$/.exec(path) ?? [];
  if (root === undefined || name === undefined) return undefined;
  const files = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    files.push(join(folder, '.python-version'));
    if (dirname(folder) === folder) break;
  }
  const texts = [...files, join(root, 'version')].map((file) => readNamedFileNow(file, VERSION_BYTES).text);
  const version = (env.PYENV_VERSION || texts.find((text) => text !== undefined))?.trim().split(/[\s:]/)[0];
  const real = version && join(root, 'versions', version, 'bin', name);
  return real && existsSync(real) ? real : undefined;
}
