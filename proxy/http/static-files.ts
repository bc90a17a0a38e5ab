import { extname } from 'node:path';
import { PageFiles } from '@/proxy/files/page-files';
import { StartError } from './listen';
import { bareReply, contentSecurityPolicy, policyOfFile, type Reply } from './reply';

/**
 * Serves the built UI from a table of request paths and files, made once at the start. Request paths are only looked up
 * in it, never joined, decoded or normalised. Files are read when first requested, and kept in memory.
 */
export class StaticFiles {
  readonly #files: PageFiles;
  /** Request paths, as they are and with escapes, and the paths of their files. */
  readonly #paths: ReadonlyMap<string, string>;
  readonly #replies = new Map<string, Promise<Reply>>();

  /** Lists `root`. Throws StartError `ui-missing` if it has no index.html. */
  constructor(root: string) {
    this.#files = listFiles(root);
    this.#paths = new Map(
      this.#files.paths.flatMap((path) => [[`/${path}`, path] as const, [encodeURI(`/${path}`), path] as const]),
    );
    if (!this.#paths.has('/index.html')) throw uiMissing(root);
  }

  /** The first path segments of all files. */
  get topNames(): readonly string[] {
    return [...this.#paths.keys()].map((path) => path.split('/')[1]!);
  }

  /**
   * Returns the file at a request path, the page itself for paths of the app, else a 404. `base`: see {@link Decision}.
   */
  answer(path: string, base = ''): Promise<Reply> {
    const known = this.#paths.has(path) ? path : APP_PATH.test(path) ? '/index.html' : undefined;
    const file = known && this.#paths.get(known);
    if (!file) return Promise.resolve(bareReply(404));
    if (file === 'index.html') this.#files.unpackSoon();
    const key = `${base} ${known}`;
    const kept = this.#replies.get(key);
    if (kept) return kept;
    const reply = this.#files.read(file).then((bytes) => replyOf(known, bytes, base));
    this.#replies.set(key, reply);
    reply.catch(() => this.#replies.delete(key));
    return reply;
  }
}

/** Paths of the app: plain words without dots and escapes. All other paths must be files. */
const APP_PATH = /^(?:\/[\w-]+)*\/?$/;

/** Content types of the exported page's files, by extension. */
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

function replyOf(path: string, bytes: Buffer, base: string): Reply {
  const body = base !== '' && NAMES_FILES.test(path) ? below(base, bytes.toString()) : bytes;
  const type = TYPES.get(extname(path)) ?? 'application/octet-stream';
  if (extname(path) === '.html') return { status: 200, body, type, csp: contentSecurityPolicy(body.toString()) };
  const cache = path.startsWith('/_next/static/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  const csp = policyOfFile(path);
  return { status: 200, body, type, cache, ...(csp !== undefined && { csp }) };
}

/** Files of the build that refer to others by paths from the root: the pages, and the loader of their scripts. */
const NAMES_FILES = /^\/[\w-]+\.html$|^\/_next\/static\/.*\.js$/;
/** A quoted path from the root. The quotes are escaped in the data inside pages. */
const FROM_ROOT = /(\\?")\/(?=_next\/|icon\.svg)/g;

/** Adapts a file to a browser that sees our root at `base`. `lib/wire/page-path` reads the attribute. */
function below(base: string, text: string): string {
  return text.replace(FROM_ROOT, `$1${base}/`).replace('<html ', `<html data-base="${base}" `);
}

function listFiles(root: string): PageFiles {
  try {
    return new PageFiles(root);
  } catch (error) {
    throw uiMissing(root, error);
  }
}

function uiMissing(root: string, cause?: unknown): StartError {
  return new StartError(
    {
      code: 'ui-missing',
      message: `The user interface is not built: ${root} has no index.html.`,
      advice: 'Run npm run build, or install the published package.',
    },
    cause,
  );
}
