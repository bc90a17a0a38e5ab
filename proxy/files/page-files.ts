import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

/** Names the files in each archive, in their order, and their lengths: see scripts/pack-page.mjs. */
const INDEX = 'packed.json';
/** The archives of files that the page loads at once, and right after its start, in this order. */
const SOON = ['start.br', 'later.br'];
type Index = Readonly<Record<string, readonly (readonly [path: string, bytes: number])[]>>;

/** A file on disk or, with `start`, a part of an archive. */
interface Place {
  readonly file: string;
  readonly start?: number;
  readonly bytes?: number;
}

/** The built page's files, by paths such as `monaco/editor.js`. An archive is unpacked once, when first needed. */
export class PageFiles {
  readonly #places = new Map<string, Place>();
  readonly #unpacked = new Map<string, Promise<Buffer>>();
  readonly #soon: readonly string[] = [];

  /**
   * Lists `root`. Skips symbolic links that lead out of it. Throws the error of the file system if it is missing.
   */
  constructor(root: string) {
    const top = realpathSync(root);
    for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
      const at = join(entry.parentPath, entry.name);
      const file = entry.isDirectory() ? undefined : realFile(at, top);
      if (file) this.#places.set(relative(top, at).split(sep).join('/'), { file });
    }
    const index = this.#places.get(INDEX);
    if (!index) return;
    this.#places.delete(INDEX);
    const archives = JSON.parse(readFileSync(index.file, 'utf8')) as Index;
    this.#soon = SOON.filter((archive) => Object.hasOwn(archives, archive)).map((archive) => join(top, archive));
    for (const [archive, files] of Object.entries(archives)) {
      this.#places.delete(archive);
      const file = join(top, archive);
      let start = 0;
      for (const [path, bytes] of files) {
        this.#places.set(path, { file, start, bytes });
        start += bytes;
      }
    }
  }

  get paths(): readonly string[] {
    return [...this.#places.keys()];
  }

  /** Reads a file. Rejects with the error of the file system if there is none. */
  async read(path: string): Promise<Buffer> {
    const place = this.#places.get(path);
    if (!place) throw Object.assign(new Error(`The page has no file ${path}.`), { code: 'ENOENT' });
    const { file, start, bytes } = place;
    if (start === undefined || bytes === undefined) return readFile(file);
    return (await this.#unpack(file)).subarray(start, start + bytes);
  }

  /** Unpacks what the page loads next, while the browser is busy with its HTML. */
  unpackSoon(): void {
    for (const archive of this.#soon) this.#unpack(archive).catch(() => undefined);
  }

  #unpack(archive: string): Promise<Buffer> {
    const kept = this.#unpacked.get(archive);
    if (kept) return kept;
    const unpacked = readFile(archive).then(promisify(brotliDecompress));
    this.#unpacked.set(archive, unpacked);
    unpacked.catch(() => this.#unpacked.delete(archive));
    return unpacked;
  }
}

/**
 * Writes all files of the page, unpacked, to a new or empty folder, and the licences of what they contain beside them.
 * Returns how many. Rejects with the system's error, which is ENOTEMPTY if the folder has files.
 */
export async function writePageFiles(root: string, folder: string, licenses: string): Promise<number> {
  // Read first: a build without it fails before anything is written.
  const terms = await readFile(licenses);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw Object.assign(new Error('not empty'), { code: 'ENOTEMPTY' });
  const files = new PageFiles(root);
  for (const path of files.paths) await write(join(folder, path), await files.read(path));
  await write(join(folder, basename(licenses)), terms);
  return files.paths.length + 1;
}

async function write(at: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(at), { recursive: true });
  await writeFile(at, bytes, { flag: 'wx' });
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
