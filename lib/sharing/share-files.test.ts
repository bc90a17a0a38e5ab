import { expect, test } from 'vitest';
import { htmlPieces } from './share-files';

const TEMPLATE = '<script data-name="{{name}}">{{recording}}</script>';

test('the recording and its name stand in their places, and nowhere else', () => {
  expect(htmlPieces(TEMPLATE, 'a.mcpr.gz', 'H4sI').join('')).toBe('<script data-name="a.mcpr.gz">H4sI</script>');
});

test('a name ends nothing and fills in no other place', () => {
  const html = htmlPieces(TEMPLATE, '"><script>alert(1)</script>&{{recording}}', 'H4sI').join('');
  expect(html).toBe(
    '<script data-name="&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#38;{{recording}}">H4sI</script>',
  );
});

test('a template without a place is refused', () => {
  expect(() => htmlPieces('<p>{{name}}</p>', 'a', 'b')).toThrow('The viewer has no {{recording}}.');
});
