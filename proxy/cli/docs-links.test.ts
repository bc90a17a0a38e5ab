import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docsUrl } from '@/lib/wire/docs-url';
import { COMMANDS } from '../commands/registry';
import { subcommandsOf } from './grammar';

const ROOT = join(import.meta.dirname, '../..');
const CALL = /docsUrl\('([\w-]+)'(?:, '([\w-]+)')?\)/g;

/** The sources of the product, without tests and lines of comments. */
const SOURCES = ['app', 'components', 'features', 'lib', 'proxy', 'viewer'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !/^test-|\.test\.tsx?$/.test(name))
    .map(({ parentPath, name }) => {
      const text = readFileSync(join(parentPath, name), 'utf8');
      return { name, text: text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '') };
    }),
);

/** The anchors of a page’s headings, as GitHub makes them. */
function anchorsOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs', `${page}.md`), 'utf8');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('every link to the documentation leads to a page and a heading', () => {
  const called = SOURCES.flatMap(({ text }) =>
    [...text.matchAll(CALL)].map(([, page, anchor]) => [page!, anchor] as const),
  );
  const ofCommands = subcommandsOf(COMMANDS).flatMap(({ docs }) =>
    docs === undefined ? [] : [[docs, undefined] as const],
  );
  expect(called.length).toBeGreaterThan(5);
  const broken = [...called, ...ofCommands].filter(
    ([page, anchor]) =>
      !existsSync(join(ROOT, 'docs', `${page}.md`)) || (anchor !== undefined && !anchorsOf(page).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

test('no message names a file of the documentation, which the package does not have', () => {
  const found = SOURCES.flatMap(({ name, text }) =>
    [...text.matchAll(/\bdocs\/[\w-]+\.md/g)].map(([link]) => `${name}: ${link}`),
  );
  expect(found).toEqual([]);
});

test('links lead to the repository', () => {
  expect(docsUrl('sharing')).toBe('https://github.com/mcp-inspect/mcp-inspect/blob/main/docs/sharing.md');
  expect(docsUrl('cli', 'settings-of-a-team')).toMatch(/docs\/cli\.md#settings-of-a-team$/);
});
