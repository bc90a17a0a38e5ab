import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join, posix, win32 } from 'node:path';
import type { Environment } from './config-file';
import { FOLDER_VARIABLES, type HostFile, PROJECT_FOLDER } from './hosts';

/** The facts of this machine that decide where hosts keep their configs. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Environment;
}

/** A place where a host may have servers. */
export interface HostPlace {
  readonly path: string;
  readonly key: readonly string[];
  /** Name of a server that is a config of its own. */
  readonly name?: string;
  /** Folder of the project that the place belongs to; absent if it belongs to the user. */
  readonly folder?: string;
}

/** Configs in a folder of configs that are read. */
const MOST_FILES = 50;
const CONFIG_EXTENSIONS = new Set(['.json', '.yaml', '.yml']);

/** Returns the places of a config, nearest project first. */
export async function hostPlaces(
  file: HostFile,
  machine: Machine,
  folders: readonly string[],
): Promise<readonly HostPlace[]> {
  const { key } = file;
  const places: HostPlace[] = file.project
    ? folders.map((folder) => ({ path: join(folder, file.path as string), key, folder }))
    : key.includes(PROJECT_FOLDER)
      ? folders.map((folder) => ({
          path: userPath(file, machine),
          key: key.map((step) => (step === PROJECT_FOLDER ? folder : step)),
          folder,
        }))
      : [{ path: userPath(file, machine), key }];
  if (basename(places[0]!.path) !== '*') return places;
  return (await Promise.all(places.map(inFolder))).flat();
}

async function inFolder(place: HostPlace): Promise<readonly HostPlace[]> {
  const folder = dirname(place.path);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => CONFIG_EXTENSIONS.has(extname(name)))
    .sort()
    .slice(0, MOST_FILES)
    .map((name) => ({ ...place, path: join(folder, name), name: basename(name, extname(name)) }));
}

/** Returns the path of a user’s config on this system. */
export function userPath({ path }: HostFile, { platform, home, environment }: Machine): string {
  const paths = platform === 'win32' ? win32 : posix;
  const written = typeof path === 'string' ? path : path[SYSTEMS.get(platform) ?? 'linux'];
  const filled = written.replace(/^\$(\w+)/, (_, name: string) => {
    const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
    // The XDG specification says to ignore relative paths.
    return value !== undefined && paths.isAbsolute(value) ? value : FOLDER_VARIABLES.get(name)!;
  });
  return paths.normalize(filled.replace(/^~/, () => home));
}

const SYSTEMS: ReadonlyMap<NodeJS.Platform, 'macos' | 'windows'> = new Map([
  ['darwin', 'macos'],
  ['win32', 'windows'],
]);
