// Decides whether a build step must run. It compares sizes and times first, and contents only if those changed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const cache = join(root, 'node_modules', '.cache', 'mcp-inspect');
/** Tests and their fixtures never change a build. */
const IGNORED = /\.test\.[a-z]+$|^\.|^node_modules$/;

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {readonly string[]} inputs files and folders, from the project's root; those that are missing count as
 *   empty
 * @property {readonly string[]} outputs files that a step makes; if one is missing, the step is stale
 */

/** True if the outputs exist and were made from the present inputs. @param {Step} step */
export function isFresh(step) {
  const last = readRecord(step);
  if (!last || !step.outputs.every((path) => existsSync(join(root, path)))) return false;
  const files = listInputs(step);
  const stamp = stampOf(files);
  if (stamp === last.stamp) return true;
  const hash = hashOf(files);
  if (hash !== last.hash) return false;
  // A checkout changes times but not contents. Save the new times, so that the next comparison is fast.
  writeRecord(step, { stamp, hash });
  return true;
}

/** Call before a step runs, so that the step is stale if it is interrupted. @param {Step} step */
export function markStale(step) {
  rmSync(recordPath(step), { force: true });
}

/** Call after a step ran. @param {Step} step */
export function markFresh(step) {
  const files = listInputs(step);
  writeRecord(step, { stamp: stampOf(files), hash: hashOf(files) });
}

function recordPath(step) {
  return join(cache, `${step.name}.json`);
}

function readRecord(step) {
  try {
    return JSON.parse(readFileSync(recordPath(step), 'utf8'));
  } catch {
    return undefined;
  }
}

function writeRecord(step, record) {
  mkdirSync(dirname(recordPath(step)), { recursive: true });
  writeFileSync(recordPath(step), JSON.stringify(record));
}

function listInputs(step) {
  const files = [];
  const visit = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (stat?.isFile()) files.push({ path, stat });
    if (!stat?.isDirectory()) return;
    for (const name of readdirSync(join(root, path)).sort()) if (!IGNORED.test(name)) visit(`${path}/${name}`);
  };
  for (const path of step.inputs) visit(path);
  return files;
}

function stampOf(files) {
  return files.map(({ path, stat }) => `${path}\0${stat.size}\0${stat.mtimeMs}`).join('\n');
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const { path, stat } of files) hash.update(`${path}\0${stat.size}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}
