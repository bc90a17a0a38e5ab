// Lists the project's files: those that git tracks or would track. Without git (an unpacked archive), all but built
// files.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const BUILT = /(?:^|\/)(?:node_modules|dist|out|\.next|\.git|test-results)\//;

/**
 * Returns paths from the project's root, with forward slashes, that match. @param {RegExp} pattern @returns {string[]}
 */
export function trackedFiles(pattern) {
  return list().filter((path) => pattern.test(path) && !BUILT.test(path) && existsSync(join(root, path)));
}

function list() {
  try {
    const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe' }).split('\n');
  } catch {
    const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return entries.map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    );
  }
}
