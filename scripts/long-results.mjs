// Decides which topics of scripts/long-tests.mjs need a new run, by their results in bench/test-long.json and by git.
import { git, isCommit } from './git.mjs';

/**
 * @typedef {{ topic: string, rooms: readonly string[], tests: readonly string[] }} Topic
 * @typedef {{ date: string, commit: string, passed: number, failed: number, seconds: number, load: number }} LongResult
 *   load: mean number of processes that wanted to run in the last 15 minutes
 */

/**
 * Returns why a topic must run, as a sentence, or undefined if its last result still holds.
 * @param {Topic} row
 * @param {LongResult | undefined} result
 * @param {string} [cwd] a folder in the repository
 */
export function whyStale({ topic, rooms, tests }, result, cwd) {
  if (!result) return `${topic}: has no result.`;
  const { commit, passed, failed } = result;
  if (failed > 0 || passed === 0) return `${topic}: ${passed} tests passed and ${failed} failed.`;
  if (!isCommit(commit, cwd)) return `${topic}: git does not know the commit ${commit} of its result.`;
  const later = git(['log', '--format=%h %s', `${commit}..`, '--', ...rooms, ...tests], cwd);
  const [first, ...others] = later.split('\n').reverse();
  if (first === '') return undefined;
  const more = others.length > 0 ? ` and ${others.length} later ones` : '';
  return `${topic}: its result is older than the commit "${first}"${more}.`;
}

/** Returns why a result can't be recorded now, as a sentence, or undefined. @param {Topic} row @param {string} [cwd] */
export function whyNotRecorded({ topic, rooms, tests }, cwd) {
  const changes = git(['status', '--porcelain', '--untracked-files=all', '--', ...rooms, ...tests], cwd);
  if (changes === '') return undefined;
  const count = changes.split('\n').length;
  return `${topic}: the result is not recorded, because ${count} ${count === 1 ? 'file is' : 'files are'} not committed.`;
}
