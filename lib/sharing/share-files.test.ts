import { expect, test } from 'vitest';
import { htmlPieces } from './share-files';

const TEMPLATE = '<script data-name="{{name}}">{{recording}}</script>';

test('fills in the recording and its name', () => {
  expect(htmlPieces(TEMPLATE, 'a.mcpr.gz', 'H4sI').join('')).toBe('<script data-name="a.mcpr.gz">H4sI</script>');
});

test('escapes the name', () => {
  const html = htmlPieces(TEMPLATE, '"><script>alert(1)</script>&{{recording}}', 'H4sI').join('');
  expect(html).toBe(
    '<script data-name="&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#38;{{recording}}">H4sI</script>',
  );
});

test('refuses a template without a place for the recording', () => {
  expect(() => htmlPieces('<p>{{name}}</p>', 'a', 'b')).toThrow('The viewer’s template has no {{recording}}.');
});
