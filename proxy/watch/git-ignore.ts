import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readNamedFileNow } from '@/proxy/files/user-files';

/** Bytes read of a `.gitignore`. Those of large projects have a few thousand. */
const MOST_BYTES = 256 * 1024;
/** Folders looked at above the watched one for the start of a repository. */
const MOST_LEVELS = 40;

/** The `.gitignore` files that apply to a folder and to everything in it. */
export class GitIgnore {
  /** The folder of the repository, or the watched one if it is in none. */
  readonly #top: string;
  /** By folder; undefined for a folder without rules. */
  readonly #rules = new Map<string, Ignore | undefined>();

  constructor(folder: string) {
    this.#top = repositoryOf(folder) ?? folder;
  }

  /** True if git would ignore this path. The deepest file with a rule for it decides, as in git. */
  ignores(path: string, isFolder: boolean): boolean {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const rules = this.#rulesOf(folder);
      const name = relative(folder, path).split(sep).join('/');
      if (rules && name !== '' && !name.startsWith('..')) {
        const { ignored, unignored } = rules.test(isFolder ? `${name}/` : name);
        if (ignored || unignored) return ignored;
      }
      if (folder === this.#top || folder === dirname(folder)) return false;
    }
  }

  #rulesOf(folder: string): Ignore | undefined {
    if (this.#rules.has(folder)) return this.#rules.get(folder);
    const { text } = readNamedFileNow(join(folder, '.gitignore'), MOST_BYTES);
    const rules = text === undefined ? undefined : ignore().add(text);
    this.#rules.set(folder, rules);
    return rules;
  }
}

function repositoryOf(folder: string): string | undefined {
  let here = folder;
  for (let level = 0; level < MOST_LEVELS; level++) {
    if (existsSync(join(here, '.git'))) return here;
    const above = dirname(here);
    if (above === here) return undefined;
    here = above;
  }
  return undefined;
}
