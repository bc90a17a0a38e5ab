import { existsSync, readFileSync } from 'node:fs';
import { win32 } from 'node:path';
import { ConnectionError } from '@/lib/transports/transport';
import type { SpawnRequest } from './spawn-request';

/** The little of the file system that is needed; replaced in tests. */
interface Files {
  exists(path: string): boolean;
  read(path: string): string;
}

const realFiles: Files = { exists: existsSync, read: (path) => readFileSync(path, 'utf8') };

/**
 * Program and arguments to hand to the system on Windows, where `npx` is `npx.cmd` and a batch file can only run in a
 * shell that reads its arguments as code (CVE-2024-27980). The shims that npm writes are looked into and the script
 * behind them is run with this Node instead; any other batch file is refused with a {@link ConnectionError}.
 */
export function resolveWindowsCommand(request: SpawnRequest, files = realFiles): [string, readonly string[]] {
  const found = findOnPath(request, files);
  if (found === undefined || !/\.(cmd|bat)$/i.test(found)) return [found ?? request.command, request.args];
  const script = scriptBehindShim(found, files);
  if (script === undefined) {
    throw new ConnectionError({
      code: 'batch-file',
      message: `${found} is a batch file, and a shell would read its arguments as code.`,
      advice: 'Start the program that the batch file starts, for example node followed by the path of a script.',
    });
  }
  return [process.execPath, [script, ...request.args]];
}

function findOnPath({ command, cwd, env }: SpawnRequest, files: Files): string | undefined {
  const variable = (wanted: string): string =>
    Object.entries(env).find(([name]) => name.toUpperCase() === wanted)?.[1] ?? '';
  const endings = (variable('PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';');
  const names = /\.[a-z0-9]+$/i.test(command)
    ? [command, ...endings.map((end) => command + end)]
    : endings.map((end) => command + end);
  const folders = /[/\\]/.test(command) ? [cwd] : variable('PATH').split(';').filter(Boolean);
  for (const folder of folders) {
    for (const name of names) {
      const path = win32.resolve(cwd, folder, name);
      if (files.exists(path)) return path;
    }
  }
  return undefined;
}

/** The one script that a shim of npm's runs: `"%dp0%\node_modules\x\cli.js"`. */
function scriptBehindShim(shim: string, files: Files): string | undefined {
  const folder = win32.dirname(shim);
  const base = win32
    .basename(shim)
    .replace(/\.[^.]+$/, '')
    .toLowerCase();
  const scripts = [...files.read(shim).matchAll(/%(?:~dp0|dp0%)\\?([^"%\r\n]+\.[cm]?js)"/gi)]
    .map((match) => win32.resolve(folder, match[1]!))
    .filter((path, at, all) => all.indexOf(path) === at && files.exists(path));
  // npx.cmd also mentions the scripts that it finds npm with.
  return scripts.length === 1 ? scripts[0] : scripts.find((path) => win32.basename(path).startsWith(`${base}-cli.`));
}
