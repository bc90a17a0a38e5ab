// npm leaves a package's builds for other platforms out of a lock if it could not get them, and `npm ci` then fails
// there. So this checks that a lock has an entry for each optional dependency, and that it names no registry.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const found = [];

for (const path of [
  'package-lock.json',
  'e2e/servers/package-lock.json',
  'e2e/conformance/package-lock.json',
  'e2e/registry/package-lock.json',
]) {
  const { packages } = JSON.parse(readFileSync(join(root, path), 'utf8'));
  for (const [where, entry] of Object.entries(packages)) {
    if (entry.resolved?.startsWith('http')) found.push(`${path}: ${where} records the address ${entry.resolved}`);
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!isPresent(packages, where, name))
        found.push(`${path}: ${where || 'the project'} lacks its optional dependency ${name}`);
    }
  }
}
for (const sentence of found) process.stdout.write(`${sentence}\n`);
process.exitCode = found.length > 0 ? 1 : 0;

/** Looks where Node does: beside the package, then in every folder above. */
function isPresent(packages, where, name) {
  for (let at = where; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (!at.includes('/node_modules/')) return packages[`node_modules/${name}`] !== undefined;
  }
}
