import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trackedFiles } from './tracked-files.mjs';

const root = join(import.meta.dirname, '..');

/** Returns the text of a document without its blocks of code. @param {string} path */
function prose(path) {
  return readFileSync(join(root, path), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
}

/** Returns the anchors of a document’s headings. @param {string} path */
function anchors(path) {
  return [...prose(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test.each(trackedFiles(/\.md$/))('each link of %s leads somewhere', (path) => {
  const links = [...prose(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
  const broken = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file, anchor] = link.split('#');
    const to = file === '' ? path : join(path, '..', file);
    if (!existsSync(join(root, to))) return true;
    return anchor !== undefined && to.endsWith('.md') && !anchors(to).includes(anchor);
  });
  expect(broken).toEqual([]);
});
