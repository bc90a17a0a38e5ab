// Refuses a name that two files export, so that a search for a name finds one thing. `STAND_INS` lists the exceptions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { trackedFiles } from './tracked-files.mjs';

const root = join(import.meta.dirname, '..');
const EXPORT = /^export (?:abstract )?(?:async )?(?:class|interface|type|function\*?|const|enum) (\w+)/gm;
/** Files whose exports may have the names of others. */
const STAND_INS = [
  // Replacements for what shared pages leave out.
  /^viewer\//,
  // The two objects of a feature have its name.
  /^features\/\w+\/(?:feature|page)\.ts$/,
  // Public types of the library, named after what they describe.
  /^proxy\/library\/(?:api|mcp-types)\.ts$/,
  /^features\/\w+\/library\/\w+-types\.ts$/,
  // No part of the program.
  /^(?:bench|e2e|examples)\/|\.test\.tsx?$|\/test-[\w-]+\.tsx?$|\/(?:attacks|fixtures)\//,
];
/** The code of each subcommand, and what rows of features load. */
const EVERYWHERE = new Set(['run', 'serve', 'print', 'read']);

/**
 * Returns a sentence for each name that several of the files export.
 * @param {Iterable<readonly [path: string, text: string]>} files
 * @returns {string[]}
 */
export function checkNames(files) {
  /** @type {Map<string, Set<string>>} */
  const places = new Map();
  for (const [path, text] of files) {
    if (STAND_INS.some((pattern) => pattern.test(path))) continue;
    for (const [, name] of text.matchAll(EXPORT)) {
      if (!EVERYWHERE.has(name)) places.set(name, (places.get(name) ?? new Set()).add(path));
    }
  }
  return [...places]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `${name} is exported by ${[...paths].join(' and ')}: give each a name of its own`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const paths = trackedFiles(/\.tsx?$/);
  const found = checkNames(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  for (const sentence of found) process.stderr.write(`${sentence}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
