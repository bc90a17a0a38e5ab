import { describe, expect, test } from 'vitest';
import { parseExact } from '@/lib/json/exact';
import { DEFAULT_NORMALISER } from './normalise';
import { holdsPlace, isOnePlace, parsePlace, textAtPlace } from './places';
import { valueDifferences } from './value-diff';

/** Returns the places that differ if some are ignored. */
function differing(before: unknown, after: unknown, places: readonly string[], unordered = false): readonly string[] {
  const patterns = places.map((place) => parsePlace(place)!);
  const how = {
    mode: 'semantic' as const,
    normaliser: DEFAULT_NORMALISER,
    ignores: (path: Parameters<typeof holdsPlace>[1]) => patterns.some((pattern) => holdsPlace(pattern, path)),
    unordered,
  };
  const [was, is] = [before, after].map((value) => parseExact(JSON.stringify(value)));
  return valueDifferences(was, is, how).map(({ kind, path }) => `${kind} ${path}`);
}

const BEFORE = { a: { etag: 'x', n: [{ id: 'p', v: 1 }] }, 'b c': 1, text: '{"etag":"q","k":1}', gone: true };
const AFTER = { a: { etag: 'y', n: [{ id: 'r', v: 1 }] }, 'b c': 2, text: '{"etag":"z","k":1}', new: 1 };

describe('ignored places', () => {
  test('all differ without any', () => {
    expect(differing(BEFORE, AFTER, [])).toEqual([
      'changed a.etag',
      'changed a.n[0].id',
      'changed ["b c"]',
      'changed text → etag',
      'missing gone',
      'added new',
    ]);
  });

  test.each([
    ['$.a', ['changed a.etag', 'changed a.n[0].id']],
    ['$.a.n', ['changed a.n[0].id']],
    ['$.a.n[0].id', ['changed a.n[0].id']],
    ['$.a.n[*].id', ['changed a.n[0].id']],
    ['$.a.*', ['changed a.etag', 'changed a.n[0].id']],
    ['$..etag', ['changed a.etag', 'changed text → etag']],
    ['$..n..id', ['changed a.n[0].id']],
    ['$..[0]', ['changed a.n[0].id']],
    ['$["b c"]', ['changed ["b c"]']],
    ['$.text.etag', ['changed text → etag']],
    ['$.gone', ['missing gone']],
    ['$.new', ['added new']],
    ['$.a.n[1].id', []],
    ['$.n', []],
    ['$.a.n[0].id.more', []],
  ])('%s leaves out %j', (place, left) => {
    const all = differing(BEFORE, AFTER, []);
    expect(differing(BEFORE, AFTER, [place])).toEqual(all.filter((one) => !left.includes(one)));
  });

  test('the whole answer', () => {
    expect(differing(BEFORE, AFTER, ['$'])).toEqual([]);
  });

  test.each([
    '',
    'a',
    '$a',
    '$.',
    '$..',
    '$[',
    '$[0',
    '$[01]',
    '$[-1]',
    '$["a]',
    '$.a b',
    '$[?(@.x)]',
    `$${'.a'.repeat(65)}`,
  ])('%j is not a place', (text) => {
    expect(parsePlace(text)).toBeUndefined();
  });

  test('attack: many steps that may stand anywhere, in a deep value', () => {
    const deep = Array.from({ length: 256 }, () => 'a');
    expect(holdsPlace(parsePlace(`$${'..a'.repeat(63)}..b`)!, deep)).toBe(false);
  });
});

describe('the order of items', () => {
  test('does not count if it is ignored', () => {
    expect(differing([1, 2, { a: [3, 4] }], [{ a: [4, 3] }, 1, 2], [], true)).toEqual([]);
    expect(differing([1, 2, 2], [2, 1, 1], [], true)).toEqual(['changed [2]']);
    expect(differing([1, 2], [2, 3, 1], [], true)).toEqual(['added [1]']);
    expect(differing([1, 2, 3], [3, 1], [], true)).toEqual(['missing [1]']);
    expect(differing([1, 2], [2, 1], [])).toEqual(['changed [0]', 'changed [1]']);
  });

  test('items are the same if they differ only in ignored places', () => {
    const [before, after] = [
      [
        { id: 1, v: 'a' },
        { id: 2, v: 'b' },
      ],
      [
        { id: 8, v: 'b' },
        { id: 9, v: 'a' },
      ],
    ];
    expect(differing(before!, after!, ['$[*].id'], true)).toEqual([]);
  });

  test('attack: 20,000 items in reverse take bounded time', () => {
    const items = Array.from({ length: 20_000 }, (_, at) => ({ at }));
    expect(differing(items, items.toReversed(), [], true).length).toBeGreaterThan(0);
  });
});

describe('the value at a place', () => {
  const json = JSON.stringify({ a: [{ b: '{"c":[1,"x"],"n":12345678901234567890}' }], ['__proto__']: 1 });
  test.each([
    ['$', json],
    ['$.a[0].b.c[1]', '"x"'],
    ['$.a[0].b.c', '[1,"x"]'],
    ['$.a[0].b.n', '12345678901234567890'],
    ['$.__proto__', '1'],
    ['$.a[1]', undefined],
    ['$.a.b', undefined],
    ['$.toString', undefined],
    ['$.a[0].b.c[0].x', undefined],
  ])('%s', (place, found) => {
    expect(textAtPlace(parsePlace(place)!, json)).toBe(found);
  });

  test('is one place only without * and ..', () => {
    expect(['$.a[0]["b c"]', '$.a[*]', '$..a'].map((text) => isOnePlace(parsePlace(text)!))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
