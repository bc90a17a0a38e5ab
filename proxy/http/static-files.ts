import { readdirSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { StartError } from './listen';
import { bareReply, contentSecurityPolicy, policyOfFile, type Reply } from './reply';

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.woff', 'font/woff'],
  ['.ttf', 'font/ttf'],
  ['.wasm', 'application/wasm'],
]);

/** Paths that may be places in the app: plain words, no dot, no escape. Anything else must be a file. */
const APP_PATH = /^(?:\/[\w-]+)*\/?$/;

/**
 * The built UI. What can be served is decided once, at the start, as a table from request path to file; a request path is
 * only ever looked up in it, never joined, decoded or normalised. Files are read when first asked for, and kept.
 */
export class StaticFiles {
  readonly #files: ReadonlyMap<string, string>;
  readonly #replies = new Map<string, Promise<Reply>>();

  /** Lists `root`. Throws StartError `ui-missing` if it has no index.html. */
  constructor(root: string) {
    this.#files = listFiles(root);
    if (!this.#files.has('/index.html')) throw uiMissing(root);
  }

  /** The first names of all paths. */
  get topNames(): readonly string[] {
    return [...this.#files.keys()].map((path) => path.split('/')[1]!);
  }

  /**
   * The file at this path of a URL, the page itself for paths of the app, else 404. `base`: where our root is for the
   * browser.
   */
  answer(path: string, base = ''): Promise<Reply> {
    const known = this.#files.has(path) ? path : APP_PATH.test(path) ? '/index.html' : undefined;
    const file = known && this.#files.get(known);
    if (!file) return Promise.resolve(bareReply(404));
    const key = `${base} ${known}`;
    const kept = this.#replies.get(key);
    if (kept) return kept;
    const reply = readReply(known, file, base);
    this.#replies.set(key, reply);
    reply.catch(() => this.#replies.delete(key));
    return reply;
  }
}

async function readReply(path: string, file: string, base: string): Promise<Reply> {
  const bytes = await readFile(file);
  const body = base !== '' && NAMES_FILES.test(path) ? below(base, bytes.toString()) : bytes;
  const type = TYPES.get(extname(path)) ?? 'application/octet-stream';
  if (extname(path) === '.html') return { status: 200, body, type, csp: contentSecurityPolicy(body.toString()) };
  const cache = path.startsWith('/_next/static/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  const csp = policyOfFile(path);
  return { status: 200, body, type, cache, ...(csp !== undefined && { csp }) };
}

/** The files of the build that name others from the root: its pages, and the loader of their scripts. */
const NAMES_FILES = /^\/[\w-]+\.html$|^\/_next\/static\/.*\.js$/;
/** A path from the root within quotes, which are escaped inside the pages' own data. */
const FROM_ROOT = /(\\?")\/(?=_next\/|icon\.svg)/g;

/** The file for a browser that sees our root at `base`. lib/wire/page-path.ts reads the attribute. */
function below(base: string, text: string): string {
  return text.replace(FROM_ROOT, `$1${base}/`).replace('<html ', `<html data-base="${base}" `);
}

/** Request path → real path of every regular file below `root`. Symbolic links that lead out of it are left out. */
function listFiles(root: string): Map<string, string> {
  const files = new Map<string, string>();
  let top: string;
  try {
    top = realpathSync(root);
  } catch (error) {
    throw uiMissing(root, error);
  }
  for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
    const at = join(entry.parentPath, entry.name);
    const file = entry.isDirectory() ? undefined : realFile(at, top);
    if (!file) continue;
    const path = `/${relative(top, at).split(sep).join('/')}`;
    files.set(path, file);
    files.set(encodeURI(path), file);
  }
  return files;
}

/** Every path is resolved, not links only: since Node 22 a recursive listing goes into linked directories. */
function realFile(path: string, top: string): string | undefined {
  try {
    const file = realpathSync(path);
    return file.startsWith(top + sep) && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

function uiMissing(root: string, cause?: unknown): StartError {
  return new StartError(
    {
      code: 'ui-missing',
      message: `The user interface is not built: there is no index.html in ${root}.`,
      advice: 'Run npm run build, or install the published package, which has it built.',
    },
    cause,
  );
}
