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
  for (let folder = cwd; folders.length <= MOST_PARENTS && ownerOf(folder) === owner; folder = dirname(folder)) {
    folders.push(folder);
    if (ownerOf(join(folder, '.git')) === owner) return folders;
    if (dirname(folder) === folder) break;
  }
  return [cwd];
}

/** The number of the user whom a file belongs to, 0 for all on Windows; undefined without the file. */
function ownerOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.uid;
}
