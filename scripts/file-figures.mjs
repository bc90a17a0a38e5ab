// Reports how the production code is cut into files. Nothing is enforced.
import { dirname } from 'node:path';
import { importsOf, readSources, resolveImport } from './check-imports.mjs';

const SMALL_LINES = 25;
const LARGE_LINES = 350;
const FOR_TESTS = /\.test\.tsx?$|(?:^|\/)(?:fixtures|attacks)\/|\/test-[^/]*$/;

/** Returns one sentence: the number of files, their mean length, and how many are unusual. @returns {string} */
export function fileFigures() {
  const sources = new Map([...readSources()].filter(([path]) => !FOR_TESTS.test(path)));
  const lines = new Map([...sources].map(([path, text]) => [path, text.split('\n').length - 1]));
  const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
  const count = (test) => [...lines.values()].filter(test).length;
  return [
    `${lines.size} files of ${Math.round(total / lines.size)} lines on average`,
    `${count((number) => number < SMALL_LINES)} under ${SMALL_LINES} lines`,
    `${count((number) => number > LARGE_LINES)} over ${LARGE_LINES}`,
    `${onlyChildren(sources)} with exactly one importer in the same folder`,
  ].join(', ');
}

/** Counts files whose only importer is in the same folder: they may be part of it. */
function onlyChildren(sources) {
  const importers = new Map();
  for (const [path, text] of sources) {
    for (const specifier of importsOf(text)) {
      const { ours, path: target } = resolveImport(path, specifier, sources);
      if (ours) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  const alone = ([path, from]) => from.size === 1 && dirname(path) === dirname([...from][0]);
  return [...importers].filter(alone).length;
}
