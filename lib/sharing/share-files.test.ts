import { expect, test } from 'vitest';
import { htmlPieces, withFonts } from './share-files';

const TEMPLATE = '<script data-name="{{name}}">{{recording}}</script>';

test('fills in the recording and its name', () => {
  expect(htmlPieces(TEMPLATE, 'a.mcpr.gz', 'H4sI').join('')).toBe('<script data-name="a.mcpr.gz">H4sI</script>');
});

test('names the panel to open beside the recording', () => {
  expect(htmlPieces(TEMPLATE, 'a.mcpr.gz', 'H4sI', 'problems').join('')).toBe(
    '<script data-name="a.mcpr.gz" data-panel="problems">H4sI</script>',
  );
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

test('puts in the fonts that the template names, each once', async () => {
  const read: string[] = [];
  const readFont = async (path: string) => {
    read.push(path);
    return new TextEncoder().encode(path);
  };
  const style = 'url(data:font/woff2;base64,{{font:_next/static/media/Geist.p.1a-b.woff2}})';
  expect(await withFonts(`${style} {{name}}`, readFont)).toBe(
    `url(data:font/woff2;base64,${btoa('_next/static/media/Geist.p.1a-b.woff2')}) {{name}}`,
  );
  expect(await withFonts(TEMPLATE, readFont)).toBe(TEMPLATE);
  expect(read).toEqual(['_next/static/media/Geist.p.1a-b.woff2']);
});
