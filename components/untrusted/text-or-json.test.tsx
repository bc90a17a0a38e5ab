import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TextOrJson } from './text-or-json';

const shown = (text: string) => renderToStaticMarkup(<TextOrJson text={text} heading={null} />);
const long = (begin: string) => `${begin}${' '.repeat(1_000_000)}1]`;

test('JSON that is too long to be read says why it is text, and where it can be read', () => {
  expect(shown(long('['))).toContain('more than 1,000,000 characters');
  expect(shown(long('['))).toContain('Pretty reads it');
});

test('other text, and JSON that is read, says nothing of the kind', () => {
  expect(shown(long('log: '))).not.toContain('looks like JSON');
  expect(shown('[1]')).not.toContain('looks like JSON');
  expect(shown('[1]')).toContain('JSON');
});
