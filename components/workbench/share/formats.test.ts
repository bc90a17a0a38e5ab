import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { actionText, impossibleText, linkFault, outputBytes, SHARE_FORMATS } from './formats';

const format = (id: string) => SHARE_FORMATS.find((one) => one.id === id)!;
const made = (content: Blob | string) => ({ made: { content, name: 'a', masked: 0 } });
const failed = (code: string) => ({ failure: { code, message: '', advice: '' } });

test.each([
  ['html', 1_312_000, 'Save HTML, 1.3 MB'],
  ['recording', 84, 'Save recording, 84 B'],
  ['link', 4_812, 'Copy link, 4.8 KB'],
  ['report', undefined, 'Copy bug report'],
])('the button names the result: %s', (id, bytes, text) => {
  expect(actionText(format(id), bytes)).toBe(text);
});

test('the size of text is that of its UTF-8', () => {
  expect(outputBytes(made('é'))).toBe(2);
  expect(outputBytes(made(new Blob(['abc'])))).toBe(3);
  expect(outputBytes(failed('x'))).toBeUndefined();
  expect(outputBytes(undefined)).toBeUndefined();
});

test('says why a format is impossible', () => {
  expect(impossibleText(format('link'), failed('link-too-long'), 0)).toBe('too large for a link');
  expect(impossibleText(format('link'), undefined, LIMITS.linkUnpackedBytes + 1)).toBe('too large for a link');
  expect(impossibleText(format('html'), undefined, LIMITS.linkUnpackedBytes + 1)).toBeUndefined();
  expect(impossibleText(format('har'), failed('nothing-over-http'), 0)).toBe('nothing over HTTP');
  // A wrong URL can be corrected, and a failure of the worker may go away.
  expect(impossibleText(format('link'), failed('link-base'), 0)).toBeUndefined();
  expect(impossibleText(format('html'), failed('constructor'), 0)).toBeUndefined();
});

test('a wrong page for links is not a failure of the work', () => {
  expect(linkFault(failed('link-base'))).toMatchObject({ code: 'link-base' });
  expect(linkFault(failed('share-failed'))).toBeUndefined();
  expect(linkFault(made('https://a.example/#recording=1.'))).toBeUndefined();
});

test('a recording is gzipped unless the user wants it plain', () => {
  expect(format('recording').kind({ compressed: true })).toBe('gz');
  expect(format('recording').kind({ compressed: false })).toBe('jsonl');
});
