import { expect, test } from 'vitest';
import { contentChanges, lineCounts } from './content-changes';
import { changeText } from './resource-diff';

const words = (before: unknown, after: unknown) => contentChanges(before, after).map(changeText);
const text = (value: string, uri = 'a:1') => ({ uri, text: value });
const blob = (bytes: string, uri = 'a:1') => ({ uri, blob: btoa(bytes) });

test.each([
  ['equal texts', [text('x')], [text('x')], ['no change']],
  ['a new line', [text('x')], [text('x\ny')], ['+1 line']],
  ['a changed line', [text('x\ny\nz')], [text('x\nY\nz')], ['+1 line, −1 line']],
  ['lines in another order', [text('x\ny')], [text('y\nx')], ['lines moved']],
  ['equal bytes', [blob('abc')], [blob('abc')], ['no change']],
  ['other bytes', [blob('abc')], [blob('abcdef')], ['changed, 3 B → 6 B']],
  ['invalid base64', [blob('abc')], [{ uri: 'a:1', blob: '%' }], ['changed, 3 B → not base64']],
  ['text that became bytes', [text('x')], [blob('x')], ['changed']],
  ['another item', [text('x')], [text('x'), text('y', 'b:1')], ['no change', 'added']],
  ['an item less', [text('x'), text('y', 'b:1')], [text('y', 'b:1')], ['no change', 'removed']],
  [
    'items of one URI, in their order',
    [text('x'), text('y')],
    [text('x'), text('z')],
    ['no change', '+1 line, −1 line'],
  ],
  ['no contents', undefined, null, []],
  ['junk', [1, 'x', null], [{ uri: 5 }], ['added']],
])('%s', (_what, before, after, expected) => {
  expect(words(before, after)).toEqual(expected);
});

test('repeated lines are counted', () => {
  expect(lineCounts('a\na\nb', 'a\nb\nb')).toEqual({ linesAdded: 1, linesRemoved: 1 });
});
