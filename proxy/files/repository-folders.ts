import { lstatSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Most folders above the working directory that are looked in. */
const MOST_PARENTS = 64;

/**
 * Returns the working directory and the folders above it, up to the root of its git repository. Without a repository,
 * only the working directory. A folder of somebody else ends the search: in `/tmp`, anybody can make a repository.
 */
export function repositoryFolders(cwd: string): readonly string[] {
  const owner = ownerOf(cwd);
  const folders: string[] = [];
  if (owner === undefined) return [cwd];
  for (let folder = cwd; folders.length <= MOST_PARENTS && ownerOf(folder) === owner; folder = dirname(folder)) {
    folders.push(folder);
    if (ownerOf(join(folder, '.git')) === owner) return folders;
    if (dirname(folder) === folder) break;
  }
  return [cwd];
}

/** Returns the root of the repository that a folder is in, or the folder itself. */
export function repositoryRoot(folder: string): string {
  return repositoryFolders(folder).at(-1)!;
}

/**
 * Returns true if a path leads to a file in a folder, also through links, and both belong to the same user. True for a
 * path in the folder at which there is nothing: reading it says so.
 */
export function isWithin(folder: string, path: string): boolean {
  // The text decides first: Windows sends credentials to a host whose share is only looked at.
  if (!isBelow(folder, path)) return false;
  try {
    const [root, real] = [realpathSync(folder), realpathSync(path)];
    return isBelow(root, real) && ownerOf(real) === ownerOf(root);
  } catch {
    return true;
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !isAbsolute(way) && way.split(sep)[0] !== '..';
}

/** The number of the user whom a file belongs to, 0 for all on Windows; undefined if it can’t be seen. */
function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
}
