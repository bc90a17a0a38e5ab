import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { repositoryFolders } from '@/proxy/files/repository-folders';
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

/**
 * Reads the commit and the author from the files of git, because starting git could run programs that a repository
 * names. Included configs are left out. Never rejects.
 */
export async function readGitFacts(cwd: string, home: string = homedir()): Promise<GitFacts> {
  const folder = await gitFolder(cwd);
  const commit = folder && (await commitOf(folder));
  const own = folder && (await textOf(join(await commonFolder(folder), 'config')));
  const configs = [own, await textOf(join(home, '.gitconfig')), await textOf(join(home, '.config/git/config'))];
  const author = configs.map((text) => userName(text ?? '')).find((name) => name !== undefined);
  return { ...(commit && { commit }), ...(author !== undefined && { author }) };
}

async function gitFolder(cwd: string): Promise<string | undefined> {
  const root = repositoryFolders(cwd).at(-1)!;
  const git = join(root, '.git');
  if ((await textOf(join(git, 'HEAD'))) !== undefined) return git;
  // A worktree or a submodule has a file that names the folder.
  const [, path] = /^gitdir: (.+)$/m.exec((await textOf(git)) ?? '') ?? [];
  return path === undefined ? undefined : resolve(root, path.trim());
}

async function commitOf(folder: string): Promise<string | undefined> {
  const head = (await textOf(join(folder, 'HEAD')))?.trim() ?? '';
  if (HASH.test(head)) return head;
  const [, ref] = /^ref: (refs\/[\w./-]+)$/.exec(head) ?? [];
  if (ref === undefined || ref.includes('..')) return undefined;
  const common = await commonFolder(folder);
  for (const at of [folder, common]) {
    const hash = (await textOf(join(at, ref)))?.trim() ?? '';
    if (HASH.test(hash)) return hash;
  }
  const packed = (await textOf(join(common, 'packed-refs'))) ?? '';
  const line = packed.split('\n').find((one) => one.endsWith(` ${ref}`));
  const hash = line?.split(' ')[0] ?? '';
  return HASH.test(hash) ? hash : undefined;
}

/** The folder that all worktrees of a repository share. */
async function commonFolder(folder: string): Promise<string> {
  const path = await textOf(join(folder, 'commondir'));
  return path === undefined ? folder : resolve(folder, path.trim());
}

function userName(config: string): string | undefined {
  let isUser = false;
  for (const line of config.split(/\r?\n/)) {
    const [, heading] = /^\s*\[([^\]]*)\]/.exec(line) ?? [];
    if (heading !== undefined) isUser = heading.trim().toLowerCase() === 'user';
    const [, name] = /^\s*name\s*=\s*"?([^"]*?)"?\s*$/i.exec(line) ?? [];
    if (isUser && name) return name;
  }
  return undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  return (await readNamedFile(path, { most: MOST_BYTES })).text;
}
