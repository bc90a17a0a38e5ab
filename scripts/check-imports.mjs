// Checks the source against scripts/import-rules.mjs: layers, closed folders, cycles, and what only one room may do.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LAYERS, OWNERS, STRANGERS } from './import-rules.mjs';

const root = join(import.meta.dirname, '..');
const FOLDERS = ['app', 'components', 'features', 'lib', 'proxy'];
/** Tests and their helpers may import everything. Nothing else may import them. */
const FOR_TESTS = /\.test(?:\.tsx?)?$|\/(?:fixtures|attacks)\/|\/test-[a-z-]+\.tsx?$/;
const isForTests = (path, text) => FOR_TESTS.test(path) || /from ['"]vitest['"]/.test(text);

/**
 * Returns every violation as a sentence that starts with the file.
 * @param {ReadonlyMap<string, string>} sources text by path from the project's root, with forward slashes
 * @returns {string[]}
 */
export function checkImports(sources) {
  const found = [];
  const graph = new Map();
  for (const [path, text] of sources) {
    if (isForTests(path, text)) continue;
    const code = dropComments(text);
    const targets = importsOf(code).map((specifier) => resolveImport(path, specifier, sources));
    graph.set(
      path,
      targets.filter((target) => target.ours).map((target) => target.path),
    );
    for (const target of targets) {
      found.push(...checkImport(path, target));
      if (isForTests(target.path, sources.get(target.path) ?? '')) found.push(`${path}: ${target.path} is for tests`);
    }
    for (const { what, pattern, only } of OWNERS) {
      if (pattern.test(code) && !only.some((place) => path.startsWith(place))) {
        found.push(`${path}: ${what} is allowed only in ${only.join(', ') || 'no file'}`);
      }
    }
  }
  return [...found, ...findCycles(graph)];
}

function checkImport(path, target) {
  const layer = LAYERS.find((rule) => path.startsWith(rule.in));
  if (!layer) return [`${path}: no rule in import-rules.mjs covers it`];
  if (!target.ours) {
    const known = layer.packages.some((name) =>
      name.endsWith(':') ? target.path.startsWith(name) : target.path === name || target.path.startsWith(`${name}/`),
    );
    return known ? [] : [`${path}: ${layer.in} may not import the package ${target.path}`];
  }
  const stranger = STRANGERS.find(
    (rule) => path.startsWith(rule.in) && target.path.startsWith(rule.in) && !target.path.startsWith(rule.shared),
  );
  if (stranger && !stranger.open.includes(path) && memberOf(path, stranger) !== memberOf(target.path, stranger)) {
    return [`${path}: folders of ${stranger.in} may not import each other (${target.path})`];
  }
  const allowed = [layer.in, ...layer.may].some((place) => target.path.startsWith(place));
  return allowed ? [] : [`${path}: ${layer.in} may not import ${target.path}`];
}

/** Returns `tools` for components/panels/tools.tsx and for components/panels/tools/list.tsx. */
function memberOf(path, { in: folder }) {
  return path.slice(folder.length).split(/[/.]/)[0];
}

/** Removes comments on lines of their own, where all of ours are. Text in strings stays. */
export function dropComments(text) {
  return text.replace(/^\s*(?:\/\/.*|\/\*[\s\S]*?\*\/\s*)$/gm, '');
}

/**
 * Returns the specifiers of everything imported or re-exported, by statement, `import()`, `import('…').Type` or
 * `require()`.
 */
export function importsOf(code) {
  const statements = code.matchAll(/^\s*(?:import|export)\b(?:[^;'"]*?\bfrom)?\s*['"]([^'"]+)['"]/gm);
  const calls = code.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/g);
  return [...statements, ...calls].map((match) => match[1]);
}

/** Returns the file of ours that a specifier names, or the name of a package. */
export function resolveImport(from, specifier, sources) {
  const ours = specifier.startsWith('.') || specifier.startsWith('@/');
  if (!ours) return { ours, path: specifier };
  const base = specifier.startsWith('@/') ? specifier.slice(2) : posix.join(posix.dirname(from), specifier);
  return {
    ours,
    path: ['', '.ts', '.tsx', '.mjs'].map((ending) => base + ending).find((path) => sources.has(path)) ?? base,
  };
}

/** Returns one sentence for each import that closes a cycle. */
function findCycles(graph) {
  const found = [];
  const done = new Set();
  const trail = [];
  const visit = (path) => {
    const at = trail.indexOf(path);
    if (at >= 0) found.push(`${path}: imports itself: ${[...trail.slice(at), path].join(' → ')}`);
    if (at >= 0 || done.has(path)) return;
    trail.push(path);
    for (const next of graph.get(path) ?? []) visit(next);
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return found;
}

/** Reads every source file in the checked folders. */
export function readSources() {
  const sources = new Map();
  for (const folder of FOLDERS) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
      const full = join(entry.parentPath, entry.name);
      sources.set(full.slice(root.length + 1).replaceAll('\\', '/'), readFileSync(full, 'utf8'));
    }
  }
  return sources;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = checkImports(readSources());
  for (const sentence of found) process.stdout.write(`${sentence}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
