import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** True if there is a program of this name, which is no path, in a folder of PATH. */
export function isOnPath(name: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  const endings = ['', ...(environment.PATHEXT ?? '').split(';')];
  return (environment.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && endings.some((ending) => existsSync(join(folder, name + ending))));
}
