import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** The number of the user whom a file belongs to, 0 for all on Windows; undefined if it can’t be seen. */
function ownerOf(path: string): number | undefined {
  try {
    return lstatSync(path).uid;
  } catch {
    return undefined;
  }
}
