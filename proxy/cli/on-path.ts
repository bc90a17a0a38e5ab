import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** True if `word` can be started: a name without slashes is looked for in the folders of PATH, a path from `cwd` on. */
export function isProgram(
  word: string,
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
): boolean {
  if (/[/\\]/.test(word)) return existsSync(resolve(cwd, word));
  const endings = ['', ...(environment.PATHEXT ?? '').split(';')];
  return (environment.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && endings.some((ending) => existsSync(join(folder, word + ending))));
}
