// Large files of the page are in the package as Brotli: FILE.br instead of FILE. proxy/files/page-files.ts unpacks
// them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const root = join(import.meta.dirname, '..');
/** Packing Monaco takes seconds, and it seldom changes. */
const cache = join(root, 'node_modules/.cache/mcp-inspect/brotli');

/** Folders of dist/ui whose files are loaded when needed. Those of the first load are not packed. */
const LOADED_LATER = ['monaco', 'workers', 'direct'];
/** Smallest file worth packing, in bytes. */
const LARGE = 64 * 1024;
/** Fonts are packed already. */
const TEXT = /\.(?:js|css)$/;

/** Replaces the large files of the built page by packed ones. @param {string} ui the folder of the page */
export async function packLargeFiles(ui) {
  const paths = LOADED_LATER.flatMap((folder) =>
    readdirSync(join(ui, folder)).map((name) => join(ui, folder, name)),
  ).filter((path) => TEXT.test(path) && statSync(path).size >= LARGE);
  await Promise.all(paths.map((path) => packFile(path, readFileSync(path))));
}

/** Writes `bytes` as `path`.br, and removes `path`. @param {string} path @param {Buffer} bytes */
export async function packFile(path, bytes) {
  writeFileSync(`${path}.br`, await packed(bytes));
  rmSync(path, { force: true });
}

async function packed(bytes) {
  const kept = join(cache, createHash('sha256').update(bytes).digest('hex'));
  if (existsSync(kept)) return readFileSync(kept);
  const result = await promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  mkdirSync(cache, { recursive: true });
  writeFileSync(kept, result);
  return result;
}
