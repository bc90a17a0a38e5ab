// Makes the proxy's chunks shorter. esbuild makes each entry import all chunks that it reaches, though most of these
// are imported by others that it imports; and it names chunks by hashes, in whose order unlike ones are neighbours.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Matches the imports at the start of a script. */
const HEAD = /^(?:import(?:[^"'();]*from)?"[^"]+";)+/;
const IMPORT = /import([^"'();]*from)?"([^"]+)";/g;
/** Matches the names that esbuild gives to chunks, and to entries that are imported dynamically. */
const HASHED = /^([\w-]+)-[A-Z0-9]{8}\.js$/;
/** Matches a reference to a script beside, or from the folder above. */
const REFERENCE = /"(\.\/(?:proxy\/)?)([\w-]+\.js)"/g;

/**
 * Removes imports without names of chunks that are imported anyway, and the banner where nothing calls `require`.
 * Numbers the chunks so that those which load together are neighbours in the tarball, where gzip finds what they have
 * in common.
 * @param {readonly string[]} paths absolute ones of all scripts, whose names differ
 * @param {string} banner a line before each
 */
export function trimChunks(paths, banner) {
  const scripts = new Map(paths.map((path) => [basename(path), readScript(path, banner)]));
  const names = numbered(scripts);
  for (const [name, { path, shebang, imports, rest }] of scripts) {
    const reached = reachable(scripts, imports);
    const kept = imports.filter(({ names: taken, to }) => taken || !reached.has(to)).map(({ text }) => text);
    const renamed = (kept.join('') + rest).replace(REFERENCE, (_, from, to) => `"${from}${names.get(to) ?? to}"`);
    rmSync(path);
    writeFileSync(
      join(dirname(path), names.get(name)),
      shebang + (/\brequire\b/.test(rest) ? `${banner}\n` : '') + renamed,
    );
  }
}

function readScript(path, banner) {
  const [, shebang = '', text] = /^(#!.*\n)?([\s\S]*)$/.exec(readFileSync(path, 'utf8'));
  if (!text.startsWith(`${banner}\n`)) throw new Error(`${path} does not start with the banner.`);
  const code = text.slice(banner.length + 1);
  const head = HEAD.exec(code)?.[0] ?? '';
  const imports = Array.from(head.matchAll(IMPORT), ([whole, names, from]) => ({
    text: whole,
    names,
    to: from.startsWith('.') ? basename(from) : undefined,
  }));
  return { path, shebang, imports, rest: code.slice(head.length) };
}

/** Returns the scripts that these imports load, followed only by imports with names, because the others may go. */
function reachable(scripts, imports) {
  const found = new Set(named(imports));
  // A set that grows is iterated to its end.
  for (const name of found) for (const to of named(scripts.get(name)?.imports ?? [])) found.add(to);
  return found;
}

function named(imports) {
  return imports.filter(({ names }) => names).map(({ to }) => to);
}

/** Returns the new name of each script: `chunk-ABCDEFGH.js` → `012.js`, `mcp-ABCDEFGH.js` → `013-mcp.js`. */
function numbered(scripts) {
  const order = new Set();
  const visit = (name) => {
    if (!scripts.has(name) || order.has(name)) return;
    order.add(name);
    for (const { to } of scripts.get(name).imports) visit(to);
  };
  for (const name of [...scripts.keys()].sort()) visit(name);
  return new Map(
    [...order].map((name, at) => {
      const word = HASHED.exec(name)?.[1];
      const number = String(at).padStart(3, '0');
      return [name, word === undefined ? name : word === 'chunk' ? `${number}.js` : `${number}-${word}.js`];
    }),
  );
}
