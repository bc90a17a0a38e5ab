import { describe, expect, test } from 'vitest';
import { layOut, placeEntries, saysMore, wrapName } from './entry-rows';

describe('wrapName', () => {
  test.each([
    ['get-sum', ['get-sum']],
    ['get_customer_account_transactions', ['get_customer_', 'account_transactions']],
    ['toggleSubscriberUpdates', ['toggleSubscriber', 'Updates']],
    ['files.read.many.at.once', ['files.read.many.', 'at.once']],
    ['averyverylongnamewithoutwords', ['averyverylongnam', 'ewithoutwords']],
    ['測試工具名稱很長很長', ['測試工具名稱很長', '很長']],
    ['😀😀😀😀😀😀😀😀😀', ['😀😀😀😀😀😀😀😀', '😀']],
  ])('%s', (name, lines) => {
    expect(wrapName(name, 16)).toEqual(lines);
    expect(wrapName(name, 16).join('')).toBe(name);
  });

  test('always makes progress, and takes a time that grows with the name', () => {
    expect(wrapName('測試', 1)).toEqual(['測', '試']);
    expect(wrapName('-'.repeat(200), 16).join('')).toHaveLength(200);
  });
});

test.each([
  ['Get Sum Tool', 'get-sum', false],
  ['Toggle simulated logging', 'toggleSimulatedLogging', false],
  ['Read Text File', 'read_text_file', false],
  ['HTTP proxy', 'HTTPProxy', false],
  ['Adds two numbers', 'get-sum', true],
  ['demo://resource/static/features.md', 'features.md', true],
  ['取得總和', 'get-sum', true],
])('%s over %s: %s', (title, name, more) => {
  expect(saysMore(title, name)).toBe(more);
});

test('leaves out a title that repeats the name', () => {
  expect(layOut('get-sum', 'Get Sum Tool', 30)).toEqual({ name: ['get-sum'], detail: undefined });
  expect(layOut('put', 'Create or update', 30)).toEqual({ name: ['put'], detail: 'Create or update' });
});

test('places entries of one to three lines', () => {
  const units = placeEntries([1, 3, 2]);
  expect(units.count).toBe(9);
  expect([0, 1, 2].map(units.startOf)).toEqual([0, 2, 6]);
  expect([0, 1, 2].map(units.sizeOf)).toEqual([2, 4, 3]);
  expect(Array.from({ length: 9 }, (_, unit) => units.startingAt(unit))).toEqual([
    0,
    undefined,
    1,
    undefined,
    undefined,
    undefined,
    2,
    undefined,
    undefined,
  ]);
});

test('leaves room for a heading above the first entry of a group', () => {
  const units = placeEntries([1, 1, 1], (entry) => (entry === 0 || entry === 2 ? 1 : 0));
  expect(units.count).toBe(10);
  expect([0, 1, 2].map(units.startOf)).toEqual([2, 4, 8]);
  expect([0, 2, 6, 8].map(units.startingAt)).toEqual([undefined, 0, undefined, 2]);
  expect(units.headings).toEqual([0, 6]);
});

test('keeps headings of groups without entries, below all of them too', () => {
  const units = placeEntries([1], (entry) => (entry === 0 ? 2 : 1));
  expect(units.headings).toEqual([0, 2, 6]);
  expect([units.startOf(0), units.count]).toEqual([4, 8]);
});
