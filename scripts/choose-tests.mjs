// Chooses the unit tests that a change reaches, nearest first. A file reaches those that import or mention it.
import { posix } from 'node:path';
import { dropComments, importsOf, resolveImport } from './check-imports.mjs';

const TEST = /^(?:lib|components|proxy|features|scripts|examples)\/.*\.test\.(?:tsx?|mjs)$/;
const MODULE = /\.(?:tsx?|mjs)$/;
/** These reach every test. */
const SETUP = /^(?:vitest\.(?:config|setup)\.ts|tsconfig\.json|package-lock\.json)$/;
/** Tests that read every file of a kind. */
const READERS = [
  { test: 'scripts/links.test.mjs', kind: /\.md$/ },
  { test: 'scripts/long-tests.test.mjs', kind: /\.(?:test|spec)\.(?:tsx?|mjs)$/ },
];
/** The compiler removes these, and `npm run check` compares the types. */
const TYPE_IMPORT = /^(?:import|export) type\b[^;'"]*\bfrom\s*['"][^'"]+['"]/gm;
/** A string that ends like the name of a file. The part before `${…}` is unknown. */
const FILE_NAME = /['"`/}]([\w@.][\w@./-]*\.[a-z]+|Dockerfile)['"`]/g;

/**
 * @typedef {{ test: string, distance: number, from: string }} Reached a test, and over how many imports it reaches
 *   which changed file
 */

/**
 * Returns the tests that changed files reach, nearest first, and the changed files that reach every test.
 * @param {ReadonlyMap<string, string>} modules text by path from the project's root, of all modules and tests
 * @param {ReadonlySet<string>} paths of all files
 * @param {readonly string[]} changed may contain deleted files
 * @returns {{ reached: Reached[], setup: string[] }}
 */
export function reachedTests(modules, paths, changed) {
  const importers = importersOf(modules, new Set([...paths, ...changed]));
  const found = new Map(changed.map((path) => [path, { distance: 0, from: path }]));
  // The loop also visits what it adds: nearer files come first.
  for (const [path, { distance, from }] of found) {
    const next = importers.get(path) ?? [];
    const alone = distance === 0 && !TEST.test(path) && (next.length === 0 || !MODULE.test(path));
    const readers = distance === 0 ? READERS.filter(({ kind }) => kind.test(path)).map(({ test }) => test) : [];
    for (const importer of [...next, ...(alone ? testsBeside(path, paths) : []), ...readers]) {
      if (!found.has(importer)) found.set(importer, { distance: distance + 1, from });
    }
  }
  const reached = [...found].filter(([path]) => TEST.test(path) && paths.has(path));
  return {
    reached: reached.map(([test, how]) => ({ test, ...how })),
    setup: changed.filter((path) => SETUP.test(path)),
  };
}

/** Returns the tests of a file's folder. Fixtures belong to the folder around theirs. */
function testsBeside(path, paths) {
  const folder = posix.dirname(path).replace(/\/fixtures(?:\/.*)?$/, '');
  return [...paths].filter((other) => TEST.test(other) && posix.dirname(other) === folder);
}

/** Returns the files that import or mention each file. */
function importersOf(modules, paths) {
  const byName = new Map();
  for (const path of paths) listAt(byName, posix.basename(path)).push(path);
  const importers = new Map();
  for (const [path, text] of modules) {
    const code = dropComments(text).replace(TYPE_IMPORT, '');
    const imported = importsOf(code).map((specifier) => resolveImport(path, specifier, paths).path);
    const mentioned = Array.from(code.matchAll(FILE_NAME), ([, name]) => mentionedBy(path, name, byName));
    for (const target of new Set([...imported, ...mentioned.flat()])) {
      if (target !== path) listAt(importers, target).push(path);
    }
  }
  return importers;
}

/**
 * Returns the files that a name in a string can be: by its path from the file or the root, otherwise by its end. A bare
 * name that many files have is one in or below the folder.
 */
function mentionedBy(path, name, byName) {
  const named = byName.get(posix.basename(name)) ?? [];
  const folder = posix.dirname(path);
  const exact = named.filter((other) => other === posix.join(folder, name) || other === name);
  if (exact.length > 0) return exact;
  const end = `/${name.replace(/^(?:\.\.?\/)+/, '')}`;
  const alike = named.filter((other) => other.endsWith(end));
  return alike.length === 1 ? alike : alike.filter((other) => other.startsWith(`${folder}/`));
}

function listAt(map, key) {
  if (!map.has(key)) map.set(key, []);
  return map.get(key);
}

/** Mean seconds of CPU time for a file, by project of vitest.config.ts. Tests in `node` start processes. */
const COST = { pure: 1, node: 8 };
const projectOf = ({ test }) => (/^(?:lib|components)\//.test(test) ? 'pure' : 'node');

/**
 * Chooses the nearest tests up to a cost, by whole distances, for each project alone: far tests that are cheap run when
 * near ones that are expensive do not. Tests in the folder of a changed file always run.
 * @param {readonly Reached[]} reached nearest first
 * @param {number} mostCost in seconds of CPU time
 * @returns {{ chosen: Reached[], leftOut: Reached[] }}
 */
export function chooseTests(reached, mostCost) {
  const isBeside = ({ test, distance, from }) => distance === 0 || posix.dirname(test) === posix.dirname(from);
  const chosen = new Set(reached.filter(isBeside));
  let left = mostCost - sum([...chosen].map((one) => COST[projectOf(one)]));
  const full = new Set();
  const farthest = Math.max(0, ...reached.map(({ distance }) => distance));
  for (let distance = 1; distance <= farthest; distance++) {
    for (const project of Object.keys(COST).filter((name) => !full.has(name))) {
      const ring = reached.filter((one) => one.distance === distance && projectOf(one) === project && !chosen.has(one));
      const cost = ring.length * COST[project];
      if (cost > left) {
        full.add(project);
        continue;
      }
      left -= cost;
      for (const one of ring) chosen.add(one);
    }
  }
  return { chosen: reached.filter((one) => chosen.has(one)), leftOut: reached.filter((one) => !chosen.has(one)) };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
