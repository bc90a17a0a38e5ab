import { expect, test } from 'vitest';
import { ask, complete, modern, problemsIn } from '../test-sessions';

test('scopes of pages are compared within one list', () => {
  const page = (id: number, cacheScope: string, cursor?: string, nextCursor?: string) => [
    ask(id, 'tools/list', cursor === undefined ? {} : { cursor }),
    complete(id, { tools: [], cacheScope, ...(nextCursor !== undefined && { nextCursor }) }),
  ];
  const frames = [
    ...modern(),
    ...page(1, 'public', undefined, 'a'),
    ...page(2, 'public', 'a', 'b'),
    ...page(3, 'private', 'b'),
  ];
  expect(problemsIn(frames)).toMatchObject([
    { message: 'cacheScope is "private", but the first page has "public".', path: ['result', 'cacheScope'], count: 1 },
  ]);
});
