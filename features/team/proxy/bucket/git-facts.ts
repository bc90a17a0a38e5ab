import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { isWithin, repositoryRoot } from '@/proxy/files/repository-folders';
import { readNamedFile } from '@/proxy/files/user-files';

/** Facts that git keeps of a working directory. */
interface GitFacts {
  /** Full hash of the commit that is checked out. */
  readonly commit?: string;
  /** `user.name`. */
  readonly author?: string;
}

/** Most bytes of a file of git’s that is read. Lists of packed references can be long. */
const MOST_BYTES = 8 * 1024 * 1024;
const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** The folder of git for a working directory, and the one that all worktrees of the repository share. */
interface GitFolders {
  readonly own: string;
  readonly common: string;
}

/**
 * Reads the commit and the author from the files of git, because starting git could run programs that a repository
 * names. Included configs are left out. Never rejects.
 */
export async function readGitFacts(cwd: string, home: string = homedir()): Promise<GitFacts> {
  const folders = await gitFolders(repositoryRoot(cwd));
  const commit = folders && (await commitOf(folders));
  const own = folders && (await textOf(join(folders.common, 'config')));
  const configs = [own, await textOf(join(home, '.gitconfig')), await textOf(join(home, '.config/git/config'))];
  const author = configs.map((text) => valueIn(text ?? '', 'user', 'name')).find((name) => name !== undefined);
  return { ...(commit && { commit }), ...(author !== undefined && { author }) };
}

async function gitFolders(root: string): Promise<GitFolders | undefined> {
  const git = join(root, '.git');
  if (!isWithin(root, git)) return undefined;
  if ((await textOf(join(git, 'HEAD'))) !== undefined) return { own: git, common: git };
  // A worktree or a submodule has a file that names the folder.
  const [, path] = /^gitdir: (.+)$/m.exec((await textOf(git)) ?? '') ?? [];
  const own = path === undefined ? git : resolve(root, path.trim());
  // Windows sends credentials to a host whose share is only looked at.
  if (own === git || /^[\\/]{2}/.test(own)) return undefined;
  const [back, config = '', shared = ''] = await Promise.all(
    ['gitdir', 'config', 'commondir'].map((name) => textOf(join(own, name))),
  );
  // Git notes there which worktree or submodule leads to it, which a stranger can’t do.
  const leads =
    back === undefined ? join(resolve(own, valueIn(config, 'core', 'worktree') ?? ''), '.git') : back.trim();
  return resolve(own, leads) === git ? { own, common: resolve(own, shared.trim()) } : undefined;
}

async function commitOf({ own, common }: GitFolders): Promise<string | undefined> {
  const head = (await textOf(join(own, 'HEAD')))?.trim() ?? '';
  if (HASH.test(head)) return head;
  const [, ref] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
  if (ref === undefined || ref.includes('..')) return undefined;
  for (const at of [own, common]) {
    const hash = (await textOf(join(at, ref)))?.trim() ?? '';
    if (HASH.test(hash)) return hash;
  }
  const packed = (await textOf(join(common, 'packed-refs'))) ?? '';
  const line = packed.split('\n').find((one) => one.endsWith(` ${ref}`));
  const hash = line?.split(' ')[0] ?? '';
  return HASH.test(hash) ? hash : undefined;
}

/** Returns a value of a config of git. Names in lower case. */
function valueIn(config: string, section: string, key: string): string | undefined {
  let isInside = false;
  for (const line of config.split(/\r?\n/)) {
    const [, heading] = /^\s*\[([^\]]*)\]/.exec(line) ?? [];
    if (heading !== undefined) isInside = heading.trim().toLowerCase() === section;
    const [, name, value] = /^\s*(\w+)\s*=\s*"?([^"]*?)"?\s*$/.exec(line) ?? [];
    if (isInside && name?.toLowerCase() === key && value) return value;
  }
  return undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  return (await readNamedFile(path, { most: MOST_BYTES })).text;
}
