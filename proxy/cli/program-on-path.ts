import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of a program by its name without slashes, as a shell finds it; undefined if PATH has none. */
export function programOnPath(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const endings = ['', ...(environment.PATHEXT ?? '').split(';')];
  return (environment.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find((path) => existsSync(path));
}
