import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery, patchQuery } from './location';

const NOTHING = {
  connection: undefined,
  page: undefined,
  source: undefined,
  q: undefined,
  panel: undefined,
  item: undefined,
  filter: undefined,
  http: false,
  frame: undefined,
  moment: undefined,
  view: undefined,
  at: undefined,
  compare: undefined,
};

test.each([
  ['', NOTHING],
  ['?', NOTHING],
  ['?connection=c1&panel=tools&frame=42', { ...NOTHING, connection: 'c1', panel: 'tools', frame: 42 }],
  ['?panel=&filter=', NOTHING],
  ['?item=a%20b%26c', { ...NOTHING, item: 'a b&c' }],
  ['?http=1', { ...NOTHING, http: true }],
  ['?http=0', NOTHING],
  ['?page=recordings', { ...NOTHING, page: 'recordings' }],
  [
    '?page=recordings&source=bucket&q=is%3Afailed',
    { ...NOTHING, page: 'recordings', source: 'bucket', q: 'is:failed' },
  ],
  // It is shown as no page.
  ['?page=elsewhere', { ...NOTHING, page: 'elsewhere' }],
  ['?frame=2&view=raw&at=%2Fresult%2F0', { ...NOTHING, frame: 2, view: 'raw', at: '/result/0' }],
  ['?moment=12', { ...NOTHING, moment: 12 }],
  ['?frame=0', NOTHING],
  ['?frame=-1', NOTHING],
  ['?frame=1e3', NOTHING],
  ['?frame=99999999999999999999', NOTHING],
  ['?%', NOTHING],
])('reads %j', (search, location) => {
  expect(parseQuery(search)).toEqual(location);
});

test('changes the fields of a patch, removes undefined ones, and keeps foreign parameters', () => {
  expect(patchQuery('?panel=tools&item=a&x=1', { item: undefined, frame: 7 })).toBe('?panel=tools&x=1&frame=7');
  expect(patchQuery('?item=a', { item: '' })).toBe('');
  expect(patchQuery('?item=a', { http: true })).toBe('?item=a&http=1');
  expect(patchQuery('?item=a&http=1', { http: false })).toBe('?item=a');
});

test('reads back whatever it writes', () => {
  const text = fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined });
  const location = fc.record({
    connection: text,
    http: fc.boolean(),
    panel: text,
    item: text,
    filter: text,
    frame: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(location, (written) => {
      expect(parseQuery(patchQuery('', written))).toEqual(written);
    }),
    { seed: 1 },
  );
});

test('a connection, a panel or a comparison takes the place of the page', () => {
  expect(patchQuery('?connection=c1&panel=raw', { page: 'recordings' })).toBe(
    '?connection=c1&panel=raw&page=recordings',
  );
  expect(patchQuery('?connection=c1&panel=raw&page=recordings', { connection: 'c1' })).toBe('?connection=c1&panel=raw');
  expect(patchQuery('?page=recordings', { panel: 'tools' })).toBe('?panel=tools');
  expect(patchQuery('?page=recordings', { compare: 'c2' })).toBe('?compare=c2');
  expect(patchQuery('?page=recordings', { filter: 'x' })).toBe('?page=recordings&filter=x');
});

test('removes the comparison when the connection or the panel changes', () => {
  expect(patchQuery('?connection=c1&compare=c2', { frame: 3 })).toBe('?connection=c1&compare=c2&frame=3');
  expect(patchQuery('?connection=c1&compare=c2', { connection: 'c3' })).toBe('?connection=c3');
  expect(patchQuery('?connection=c1&compare=c2', { panel: 'tools' })).toBe('?connection=c1&panel=tools');
  expect(patchQuery('?connection=c1&compare=c2', { connection: 'c2', compare: 'c1' })).toBe(
    '?connection=c2&compare=c1',
  );
});

test('removes the field when the frame changes', () => {
  expect(patchQuery('?frame=1&at=%2Fa&view=raw', { frame: 2 })).toBe('?frame=2&view=raw');
  expect(patchQuery('?frame=1&at=%2Fa', { frame: 2, at: '/b' })).toBe('?frame=2&at=%2Fb');
  expect(patchQuery('?frame=1&at=%2Fa', { filter: 'x' })).toContain('at=%2Fa');
});

test('removes the filter when the connection changes', () => {
  expect(patchQuery('?connection=c1&filter=x&frame=1', { connection: 'c2' })).toBe('?connection=c2&frame=1');
  expect(patchQuery('?filter=x', { connection: 'c2' })).toBe('?connection=c2');
  expect(patchQuery('?connection=c1&filter=x', { connection: 'c1' })).toBe('?connection=c1&filter=x');
  expect(patchQuery('?connection=c1&filter=x', { connection: 'c2', filter: 'x' })).toBe('?connection=c2&filter=x');
});
