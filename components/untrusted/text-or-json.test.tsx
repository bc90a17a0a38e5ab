import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { fileExtension, layoutOf, TextOrJson } from './text-or-json';

const shown = (text: string) => renderToStaticMarkup(<TextOrJson text={text} heading={null} />);
const long = (begin: string) => `${begin}${' '.repeat(1_000_000)}1]`;

test('says why long JSON is shown as text, and where it can be read', () => {
  expect(shown(long('['))).toContain('limit 1,000,000');
  expect(shown(long('['))).toContain('JSON of any length');
});

test('has no such note for other text and for shorter JSON', () => {
  expect(shown(long('log: '))).not.toContain('Too long to show as JSON');
  expect(shown('[1]')).not.toContain('Too long to show as JSON');
  expect(shown('[1]')).toContain('JSON');
});

test.each([
  ['text/markdown; charset=utf-8', '', 'Markdown'],
  ['text/csv', '', 'Table'],
  ['text/tab-separated-values', '', 'Table'],
  ['', 'csv', 'Table'],
  ['text/plain', 'md', 'Markdown'],
  ['text/x-python', 'md', undefined],
  ['text/html', '', undefined],
])('%s with the extension %j is laid out as %s', (mimeType, extension, layout) => {
  expect(layoutOf(mimeType, extension)).toBe(layout);
});

test.each([
  ['file:///a/b.c/server.py', 'py'],
  ['https://example.com/data.csv?all=1#top', 'csv'],
  ['demo://v1.2/notes', ''],
  ['', ''],
])('the extension of %s is %j', (name, extension) => {
  expect(fileExtension(name)).toBe(extension);
});
