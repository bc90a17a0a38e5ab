import { expect, test } from 'vitest';
import { declaredIcons, mayShowIcon } from './server-icon';

const PNG = `data:image/png;base64,${btoa('\x89PNG\r\n\x1a\n')}`;
const svg = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E';

/** A png that declares a size, without its pixels. */
const pngOf = (size: string) =>
  `data:image/png;base64,${btoa(String.fromCharCode(...Buffer.from(`89504e470d0a1a0a0000000d49484452${size}`, 'hex')))}`;

// Trap 39: icons with unsafe addresses.
test.each([
  [PNG, 'image/png', undefined],
  [svg, 'image/svg+xml', undefined],
  [`data:text/html;base64,${btoa('\x89PNG')}`, 'image/png', undefined],
  ['data:text/html,<script>alert(1)</script>', undefined, 'not an image'],
  ['data:image/png;base64,%%%', undefined, 'not an image'],
  ['data:image/png;base64', undefined, 'rejected: only https: and data: are allowed'],
  [`data:image/png;base64,${'A'.repeat(500_000)}`, undefined, 'too large to show'],
  [pngOf('0000020000000200'), 'image/png', undefined],
  [pngOf('0000c3500000c350'), undefined, 'too large to show: 50,000 × 50,000 px'],
  ['https://a.example/x.png', undefined, 'not loaded: the page makes no requests to other hosts'],
  ['HTTPS://a.example/x.png', undefined, 'not loaded: the page makes no requests to other hosts'],
  ['http://a.example/x.png', undefined, 'rejected: only https: and data: are allowed'],
  ['javascript:alert(1)', undefined, 'rejected: only https: and data: are allowed'],
  ['file:///etc/passwd', undefined, 'rejected: only https: and data: are allowed'],
  ['/favicon.ico', undefined, 'rejected: only https: and data: are allowed'],
  [5, undefined, 'rejected: only https: and data: are allowed'],
])('an icon at %.60s', (src, type, why) => {
  const [icon] = declaredIcons({ icons: [{ src }] });
  expect(icon?.picture?.type).toBe(type);
  expect(icon?.why).toBe(why);
  if (type !== undefined) expect(mayShowIcon({ icons: [{ src }] })).toBe(true);
});

test('reads sizes as an array or a string, and knows two themes', () => {
  const icons = [{ src: PNG, sizes: ['16x16', '32x32'], theme: 'dark' }, { src: PNG, sizes: 'any', theme: 'blue' }, 7];
  expect(declaredIcons({ icons }).map(({ sizes, theme }) => [sizes, theme])).toEqual([
    ['16x16 32x32', 'dark'],
    ['any', undefined],
    [undefined, undefined],
  ]);
  for (const entry of [undefined, null, {}, { icons: 'x' }, { icons: {} }]) expect(declaredIcons(entry)).toEqual([]);
});

test('sizes of a wrong type break nothing', () => {
  const sizes = [{ toString: 1, valueOf: 1 }, [[{ toString: 1 }]], '16x16'];
  expect(declaredIcons({ icons: [{ src: PNG, sizes }] })[0]?.sizes).toMatch(/16x16$/);
});

test('room in a list is left only for icons that may be shown', () => {
  for (const src of ['https://a.example/x.png', 'javascript:1', 5])
    expect(mayShowIcon({ icons: [{ src }] })).toBe(false);
  for (const entry of [undefined, {}, { icons: 'x' }, { icons: [null] }]) expect(mayShowIcon(entry)).toBe(false);
});
