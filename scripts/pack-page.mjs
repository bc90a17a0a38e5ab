// Makes dist/ui of the built page in out: pages, styles and fonts as they are, and scripts in a few archives.
// An archive is its files one after another, packed as a whole, because they have much text in common: the bundler
// repeats modules in its chunks, and viewer and workers contain code of the page. proxy/files/page-files.ts unpacks
// archives.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const ui = join(root, 'dist/ui');
/** Packing takes seconds, and Monaco and the PDF viewer seldom change. */
const cache = join(root, 'node_modules/.cache/mcp-inspect/brotli');

/** The archive of the first load's scripts. It is small, so that they need not wait for the rest. */
const START = 'start.br';
/** The archives, and the paths of their files. Each is unpacked when one of its files is first requested. */
const ARCHIVES = {
  [START]: /^_next\/static\/chunks\/.+\.js$/,
  'monaco.br': /^monaco\//,
  'pdf.br': /^workers\/pdf\.js$/,
  // Files that the page loads after its start, and the viewer of shared pages.
  'later.br': /^(?:_next\/static\/chunks|workers|direct|viewer)\/.+\.(?:js|txt)$/,
};
/** The highest takes twice as long as the one below, for 2 % less. */
const QUALITY = constants.BROTLI_MAX_QUALITY;

/** Replaces dist/ui. */
export async function packPage() {
  const fresh = `${ui}.new`;
  rmSync(fresh, { recursive: true, force: true });
  // Next's .txt files are for navigation between routes, and there is only one route. 404.html answers unknown paths.
  cpSync(join(root, 'out'), fresh, {
    recursive: true,
    filter: (path) => !/(?<!viewer[\\/]page)\.txt$|_not-found(?:\.html)?$/.test(path),
  });
  leaveOutPolyfills(fresh);
  const page = readFileSync(join(fresh, 'index.html'), 'utf8');
  const left = new Set(filesIn(fresh));
  const index = {};
  for (const [archive, paths] of Object.entries(ARCHIVES)) {
    const files = [...left]
      .filter((path) => paths.test(path) && page.includes(path) === (archive === START))
      .map((path) => [path, readFileSync(join(fresh, path))])
      // Small files then repeat text of large ones, and names made of hashes decide nothing. It saves 2 KB.
      .sort(([, one], [, other]) => other.length - one.length);
    for (const [path] of files) {
      left.delete(path);
      rmSync(join(fresh, path));
    }
    index[archive] = files.map(([path, bytes]) => [path, bytes.length]);
    writeFileSync(join(fresh, archive), await packed(Buffer.concat(files.map(([, bytes]) => bytes))));
  }
  writeFileSync(join(fresh, 'packed.json'), JSON.stringify(index));
  rmSync(ui, { recursive: true, force: true });
  renameSync(fresh, ui);
}

/** Removes Next's polyfills: they are for browsers without modules, which can't run the page. */
function leaveOutPolyfills(folder) {
  for (const page of readdirSync(folder).filter((name) => name.endsWith('.html'))) {
    const html = readFileSync(join(folder, page), 'utf8');
    const bare = html.replace(
      /<script src="(\/_next\/static\/chunks\/[\w.~-]+\.js)" noModule="">\s*<\/script>/g,
      (_, path) => {
        rmSync(join(folder, path), { force: true });
        return '';
      },
    );
    if (bare === html) throw new Error(`${page} no longer loads polyfills. Remove this step.`);
    writeFileSync(join(folder, page), bare);
  }
}

/** Lists the paths of all files below a folder, sorted, with slashes. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

async function packed(bytes) {
  const kept = join(cache, createHash('sha256').update(`${QUALITY}\n`).update(bytes).digest('hex'));
  if (existsSync(kept)) return readFileSync(kept);
  const result = await promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  mkdirSync(cache, { recursive: true });
  writeFileSync(kept, result);
  return result;
}
