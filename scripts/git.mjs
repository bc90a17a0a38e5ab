// Asks git about changes.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Returns what git prints. @param {readonly string[]} args @throws {Error} with git's sentence */
export function git(args, cwd = root) {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe' }).trim();
  } catch (error) {
    throw new Error(`git ${args.join(' ')}: ${String(error.stderr).trim() || error.message}`);
  }
}

/** Returns true if the project's history has this commit, tag or branch. @param {string} ref */
export function isCommit(ref, cwd = root) {
  try {
    git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], cwd);
    return true;
  } catch {
    return false;
  }
}

/** Returns the paths of files that differ from a commit, with deleted and untracked ones. @param {string} commit */
export function changedSince(commit, cwd = root) {
  const tracked = git(['diff', '--name-only', '--no-renames', '-z', commit], cwd);
  const untracked = git(['ls-files', '--others', '--exclude-standard', '-z'], cwd);
  return [...new Set([...tracked.split('\0'), ...untracked.split('\0')])].filter((path) => path !== '');
}
