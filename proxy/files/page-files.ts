import { readdirSync, realpathSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** Ending of files of the page that the package contains packed with Brotli: see scripts/brotli.mjs. */
const PACKED = '.br';

/**
 * Maps the paths of the built page's files, such as `monaco/editor.js`, to the real paths of their files on disk. Skips
 * symbolic links that lead out of `root`. Throws the error of the file system if `root` is missing.
 */
export function listPageFiles(root: string): Map<string, string> {
  const files = new Map<string, string>();
  const top = realpathSync(root);
  for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
    const at = join(entry.parentPath, entry.name);
    const file = entry.isDirectory() ? undefined : realFile(at, top);
    if (!file) continue;
    const path = relative(top, at).split(sep).join('/');
    files.set(path.endsWith(PACKED) ? path.slice(0, -PACKED.length) : path, file);
  }
  return files;
}

/** Reads a file of {@link listPageFiles} by its real path, and unpacks it if it is packed. */
export async function readPageFile(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  return file.endsWith(PACKED) ? promisify(brotliDecompress)(bytes) : bytes;
}

/**
 * Writes all files of the page, unpacked, to a new or empty folder, and the licences of what they contain beside them.
 * Returns how many. Rejects with the system's error, which is ENOTEMPTY if the folder has files.
 */
export async function writePageFiles(root: string, folder: string, licenses: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw Object.assign(new Error('not empty'), { code: 'ENOTEMPTY' });
  const files = listPageFiles(root).set(basename(licenses), licenses);
  for (const [path, file] of files) {
    const at = join(folder, path);
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, await readPageFile(file), { flag: 'wx' });
  }
  return files.size;
}

/** Resolves every path, not only links, because a recursive listing follows linked directories since Node 22. */
function realFile(path: string, top: string): string | undefined {
  try {
    const file = realpathSync(path);
    return file.startsWith(top + sep) && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
