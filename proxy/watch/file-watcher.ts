import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { countOf } from '@/lib/wire/format';
import type { WatchPlan } from './watch-plan';

/** Most files watched. Each costs the system a watch and this process about 4 KB. */
const MOST_FILES = 5000;
/** Most folders looked into. */
const MOST_FOLDERS = 2000;

/** Files under watch. */
export interface FileWatch {
  readonly files: number;
  /** Why some files are not watched, as a sentence. */
  readonly limit: string | undefined;
  close(): Promise<void>;
}

interface WatchBounds {
  /** Most files to watch. */
  readonly most?: number;
  /** Called when `limit` of the watch gets a value. */
  onLimit?(): void;
}

/**
 * Watches the files of a plan, and calls `onChange` with the path of each that is written, made or removed. Follows no
 * links, so that loops of links are harmless. Resolves once all files are under watch.
 */
export async function watchFiles(
  { roots, skipsFolder, matches }: WatchPlan,
  onChange: (path: string) => void,
  { most = MOST_FILES, onLimit }: WatchBounds = {},
): Promise<FileWatch> {
  const files = new Set<string>();
  const folders = new Set<string>();
  let limit: string | undefined;
  const setLimit = (sentence: string): void => {
    if (limit !== undefined) return;
    limit = sentence;
    onLimit?.();
  };
  const admit = (known: Set<string>, path: string, bound: number, what: string): boolean => {
    if (known.has(path)) return true;
    if (known.size >= bound && !roots.includes(path)) {
      setLimit(`Only the first ${countOf(bound, what)} are watched. Name fewer with \`--on-save files=GLOB\`.`);
      return false;
    }
    known.add(path);
    return true;
  };
  const watcher = watch([...roots], {
    followSymlinks: false,
    ignorePermissionErrors: true,
    ignored: (path, facts) => {
      if (!facts || (roots.includes(path) && facts.isDirectory())) return false;
      if (facts.isDirectory()) return skipsFolder(path) || !admit(folders, path, MOST_FOLDERS, 'folder');
      return !facts.isFile() || !matches(path) || !admit(files, path, most, 'file');
    },
  });
  let isReady = false;
  watcher.on('all', (event, path) => {
    if (event === 'unlink') files.delete(path);
    if (event === 'unlinkDir') folders.delete(path);
    if (isReady && event !== 'addDir' && event !== 'unlinkDir') onChange(path);
  });
  watcher.on('error', (error) => setLimit(whyUnwatched(error)));
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  isReady = true;
  return {
    get files() {
      return files.size;
    },
    get limit() {
      return limit;
    },
    close: () => watcher.close(),
  };
}

function whyUnwatched(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EMFILE') {
    return 'The system allows no more watches. Name fewer with `--on-save files=GLOB`.';
  }
  return `Some files can’t be watched (${code}).`;
}

/** Returns a path as people know it: relative to the folder it is in, or whole. */
export function nameIn(folder: string, path: string): string {
  const name = relative(folder, path);
  return name === '' || name === '..' || name.startsWith(`..${sep}`) ? path : name;
}
