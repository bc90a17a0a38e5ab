// Refuses `...{ a, b }` and `...[a, b]` within a literal or call: they change nothing, and only make the formatter put
// several members on one line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { trackedFiles } from './tracked-files.mjs';

const root = join(import.meta.dirname, '..');
/** Literals that may be spread, by what they are spread into. */
const REFUSED = {
  ObjectExpression: 'ObjectExpression',
  ArrayExpression: 'ArrayExpression',
  CallExpression: 'ArrayExpression',
  NewExpression: 'ArrayExpression',
};

/**
 * Returns a sentence for each spread literal of a file.
 * @param {string} path from the project's root
 * @param {string} text
 * @returns {string[]}
 */
export function checkSpreads(path, text) {
  if (!/\.\.\.[{[]/.test(text)) return [];
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {any} */ node, /** @type {any} */ parent) => {
    if (node === null || typeof node !== 'object') return;
    if (node.type === 'SpreadElement' && node.argument.type === REFUSED[/** @type {keyof REFUSED} */ (parent.type)]) {
      const line = text.slice(0, node.start).split('\n').length;
      found.push(`${path}:${line}: a literal is spread: write its members`);
    }
    for (const child of Object.values(node)) visit(child, typeof node.type === 'string' ? node : parent);
  };
  const lang = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js';
  visit(parseAst(text, { lang }), undefined);
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = trackedFiles(/\.(?:ts|tsx|mjs)$/).flatMap((path) =>
    checkSpreads(path, readFileSync(join(root, path), 'utf8')),
  );
  for (const sentence of found) process.stderr.write(`${sentence}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
