import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { ListedEntries } from './listed-entries';
import type { ServerAnswer } from './server-connection';

const page = (names: readonly string[], nextCursor?: unknown): ServerAnswer => {
  const result = { tools: names.map((name) => ({ name })), nextCursor };
  return { kind: 'result', result, text: JSON.stringify(result) };
};

function read(...pages: readonly ServerAnswer[]) {
  const list = new ListedEntries('tools');
  for (const each of pages) list.addPage(each);
  return { names: list.entries.map(({ name }) => name), fault: list.fault };
}

test('counts the entries of repeated pages once, and says so', () => {
  expect(read(page(['a', 'b'], 'x'), page(['a', 'b'], 'x'))).toEqual({
    names: ['a', 'b'],
    fault:
      'The server repeats its pages: 2 entries came again. Each is counted once. It returned the cursor "x" twice, so mcp-inspect stopped. Other clients may read for ever.',
  });
});

test('other pages have no fault', () => {
  expect(read(page(['a'], 'x'), page(['b'], 'y'), page(['c']))).toEqual({ names: ['a', 'b', 'c'], fault: undefined });
});

test('a cursor that is not a string is named, because no further page can be read', () => {
  expect(read(page(['a'], 1)).fault).toBe(
    'Its nextCursor is 1, expected a string, so mcp-inspect read no further page.',
  );
  expect(read(page(['a'], null)).fault).toBeUndefined();
});

test('an entry that is twice on one page stays, since that is another fault', () => {
  expect(read(page(['a', 'a']))).toEqual({ names: ['a', 'a'], fault: undefined });
});

test('a new cursor for ever ends after the most pages', () => {
  const pages = Array.from({ length: LIMITS.listPages }, (_, at) => page(['a'], `cursor ${at}`));
  expect(read(...pages)).toEqual({
    names: ['a'],
    fault:
      'The server repeats its pages: 999 entries came again. Each is counted once. mcp-inspect stopped after 1,000 pages.',
  });
});
