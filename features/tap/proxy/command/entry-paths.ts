import { existsSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import type { StdioTarget } from '@/lib/wire/command';
import { programOnPath } from '@/proxy/cli/program-on-path';

/** Programs whose argument with an ending is a script of this machine. Those of containers have other paths. */
const INTERPRETER =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|py|ruby|php|java|bash|sh|zsh|uv|pwsh)(?:\.exe)?$/i;
const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|php|jar|sh|ps1)$/i;

/** The paths of a command, looked up on this machine. */
export interface EntryPaths {
  /** Program, script and folder that do not exist. */
  readonly missing: readonly string[];
  /** Path of the program. */
  readonly program: string | undefined;
}

/**
 * Looks up the paths of a command whose placeholders are filled. Paths of another system, and those with placeholders
 * left, are not looked up.
 */
export function entryPaths(
  { command, args, cwd, env = {} }: Pick<StdioTarget, 'command' | 'args' | 'cwd' | 'env'>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): EntryPaths {
  const isHere = (path: string): boolean => isAbsolute(path) && !path.includes('${');
  const script = INTERPRETER.test(basename(command)) ? args.find((arg) => SCRIPT.test(arg)) : undefined;
  const folder = /^uv(?:\.exe)?$/.test(basename(command)) ? args[args.indexOf('--directory') + 1] : undefined;
  const paths = [command, cwd, script, args.includes('--directory') ? folder : undefined];
  const missing = paths.filter((path) => path !== undefined).filter((path) => isHere(path) && !existsSync(path));
  const isBare = /^[\w.@+-]+$/.test(command);
  const program = isBare ? programOnPath(command, environment) : command;
  // A variable of the entry replaces PATH, and only Windows has its own shells.
  const isUnknown = isBare && program === undefined && !Object.hasOwn(env, 'PATH') && !WINDOWS_SHELL.test(command);
  return { missing: isUnknown ? [command, ...missing] : missing, program };
}

const WINDOWS_SHELL = /^(?:cmd|powershell|pwsh|wsl)(?:\.exe)?$/i;
