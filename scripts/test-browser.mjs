// `npm run test:browser -- NAME… [FLAG…]`: runs e2e/NAME.spec.ts in Chromium with what a fresh clone needs: packages,
// the build and a browser. Without a name it runs all of them. Flags come last, and go to Playwright; with one that
// names projects, these run instead.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensure, ensureInstalled } from './ensure.mjs';
import { runNode } from './run.mjs';

const ENDING = '.spec.ts';

/**
 * Returns the words for Playwright: files, then flags.
 * @param {readonly string[]} words names with or without folder and ending, then flags
 * @param {readonly string[]} all names of all files, without ending
 * @throws {Error} with a sentence, for a name that does not exist
 */
export function browserWords(words, all) {
  const firstFlag = words.findIndex((word) => word.startsWith('-'));
  const names = firstFlag < 0 ? words : words.slice(0, firstFlag);
  const flags = firstFlag < 0 ? [] : words.slice(firstFlag);
  const files = names.map((word) => {
    const name = word.replace(/^(?:\.\/)?e2e\//, '').replace(/(?:\.spec)?(?:\.ts)?$/, '');
    if (!all.includes(name)) throw new Error(`e2e/${name}${ENDING} does not exist. ${suggestion(name, all)}`);
    return `e2e/${name}${ENDING}`;
  });
  const project = flags.some((flag) => flag.startsWith('--project')) ? [] : ['--project=chromium'];
  return [...files, ...project, ...flags];
}

/** Names that contain each other, or that differ in at most two letters, are near. */
function suggestion(name, all) {
  const near = all.filter((other) => other.includes(name) || name.includes(other) || difference(name, other) <= 2);
  return near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Choose from: ${all.join(', ')}.`;
}

/** Returns how many letters must be added, removed or replaced. */
function difference(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + (a[i] === b[j] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = readdirSync(join(import.meta.dirname, '..', 'e2e')).filter((file) => file.endsWith(ENDING));
  try {
    const words = browserWords(
      process.argv.slice(2),
      files.map((file) => file.slice(0, -ENDING.length)),
    );
    const { ensureBrowser } = await import('./browser.mjs');
    await ensure();
    await ensureInstalled('e2e/servers');
    const env = { MCP_INSPECT_BROWSER: ensureBrowser() };
    process.exitCode = await runNode('node_modules/@playwright/test/cli.js', ['test', ...words], { env });
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
