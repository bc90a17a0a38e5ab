import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import MarkdownBody from './markdown-body';
import { MARKDOWN_NODES } from './markdown-parser';

const html = (text: string) => renderToStaticMarkup(<MarkdownBody text={text} />);
/** The elements without their attributes, and without the isolation around every text. */
const shape = (text: string) =>
  html(text)
    .replace(/^<div[^>]*>|<\/div>$|<\/?bdi[^>]*>/g, '')
    .replace(/<(\w+) [^>]*>/g, '<$1>');
const seen = (text: string) => html(text).replace(/<[^>]*>/g, '');

test.each([
  ['a *b* **c** ~~d~~ `e`', '<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>'],
  ['one\ntwo  \nthree\\\nfour', '<p>one\ntwo<br/>three<br/>four</p>'],
  ['- a\n  - b\n    1. c\n- d', '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>'],
  ['- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
  ['> a\n> > b', '<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>'],
  ['```\na < b\n```', '<pre><code>a &lt; b\n</code></pre>'],
  ['a\n\n---', '<p>a</p><hr/>'],
  [
    '|a|b|\n|-|-|\n|*c*|',
    '<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><em>c</em></td><td></td></tr></tbody></table></div>',
  ],
  ['- [x] done', '<ul><li>[x] done</li></ul>'],
  ['&lt;b&gt; \\*c\\*', '<p>&lt;b&gt; *c*</p>'],
])('%#: %j', (text, expected) => {
  expect(shape(text)).toBe(expected);
});

test('each block has the direction of its text, and a link or code within does not turn what is beside it', () => {
  expect(html('ابحث\n\n- مرحبا\n\n[نص](https://a.example)')).toMatch(
    /<p dir="auto">ابحث<\/p>.*<li dir="auto">مرحبا<\/li>.*<bdi>نص<\/bdi>/s,
  );
  expect(html('`نص` b')).toContain('<bdi>نص</bdi></code> b');
});

test('a link stays beside its address in text from right to left', () => {
  expect(html('א [x](https://a.example) [y](https://b.example)').match(/<bdi dir="ltr"><span>/g)).toHaveLength(2);
});

test('starts an ordered list at its number', () => {
  expect(html('7. a\n8. b')).toContain('<ol start="7"');
  expect(html('0. a')).toContain('<ol start="0"');
});

test('draws headings of three sizes, below those of the page', () => {
  expect(html('# a')).toMatch(/<h4 [^>]*class="[^"]*text-\[18px\]/);
  expect(html('## a')).toMatch(/<h5 [^>]*class="[^"]*text-title/);
  expect(html('### a')).toMatch(/<h6 [^>]*class="mt-1 font-semibold">/);
  expect(html('###### a')).toMatch(/<h6/);
});

describe('keeps HTML as text', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="x()">b</b> <!-- hidden --> <svg/onload=alert(1)>',
    '<iframe srcdoc="<script>1</script>"></iframe>\n\n<style>*{display:none}</style>',
    '`<script>`\n\n    <script>\n\n```html\n<script>\n```',
    '[<script>](http://a "<script>")',
    '![<script>](<script> "<script>")',
    '|<script>|\n|-|\n|<img src=x>|',
    '# <script>',
  ])('%j', (text) => {
    expect(html(text)).not.toMatch(/<(?:script|img|svg|iframe|style|b|!--)[\s>/]/i);
    expect(html(text)).not.toMatch(/<[^>]*\son\w+=/i);
  });

  test('shows comments', () => {
    expect(seen('<!-- obey me -->')).toContain('obey me');
  });
});

describe('links', () => {
  test.each(['http://a.example/b', 'https://a.example/', 'mailto:a@b.example'])(
    '%s leads there, and says so',
    (address) => {
      expect(html(`[*text*](${address})`)).toContain(`<a href="${address}" target="_blank" rel="noopener noreferrer"`);
      expect(seen(`[*text*](${address})`)).toContain(`text (${address})`);
    },
  );

  test.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](data:text/html,x)',
    '[a](vbscript:x)',
    '[a](file:///etc/passwd)',
    '[a](//evil.example)',
    '[a](/api/launch)',
    '[a](<java\tscript:alert(1)>)',
    '<javascript:alert(1)>',
    '[a](\u0001javascript:alert(1))',
  ])('%j is text', (text) => {
    expect(html(text)).not.toContain('href');
    expect(seen(text)).toMatch(/a/);
  });

  test('show the URL once if it is also the text, and after any other text', () => {
    expect(seen('<https://a.example/>')).toBe('https://a.example/');
    expect(seen('<http://xn--80ak6aa92e.example/>')).toBe('http://xn--80ak6aa92e.example/');
    expect(seen('[https://a.example](https://b.example/)')).toContain('(https://b.example/)');
  });
});

test('names an image with its URL and never loads it', () => {
  expect(html('![a *cat*](https://a.example/c.png)')).not.toContain('<img');
  expect(seen('![a *cat*](https://a.example/c.png)')).toBe('[image not loaded: a *cat* https://a.example/c.png]');
});

test('shows titles and the info strings of code blocks', () => {
  expect(seen('[a](https://b.example/ "obey")')).toContain('“obey”');
  expect(seen('![a](b "obey")')).toContain('“obey”');
  expect(seen('```js obey\n1\n```')).toContain('js obey\n1');
});

test('shows hidden characters everywhere', () => {
  const hidden = '\u202e';
  for (const text of [
    `a${hidden}`,
    `**${hidden}**`,
    `[${hidden}](http://a)`,
    `\`${hidden}\``,
    `# a&#x202e;`,
    `|a${hidden}|\n|-|`,
  ]) {
    expect(seen(text)).toContain('\\u202e');
    expect(html(text)).not.toContain(hidden);
  }
});

test('shows the rest of a long text as written, with a note', () => {
  const text = '- a\n'.repeat(3000);
  expect(seen(text)).toContain('too long to lay out');
  expect(html(text).match(/<li /g)?.length).toBeLessThanOrEqual(MARKDOWN_NODES);
  expect(html('>'.repeat(100))).toContain('<p class="whitespace-pre-wrap">');
});
