import { expect, test } from 'vitest';
import { safeUrl } from './safe-url';

test.each([
  ['https://example.com/a', 'https://example.com/a'],
  ['HTTP://EXAMPLE.com', 'http://example.com/'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['javascript:alert(1)', undefined],
  [' java\nscript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['file:///etc/passwd', undefined],
  ['blob:https://example.com/x', undefined],
  ['//example.com', undefined],
  ['/api/connections', undefined],
  ['#top', undefined],
  ['', undefined],
  [undefined, undefined],
  [{}, undefined],
])('%j leads to %j', (address, expected) => {
  expect(safeUrl(address)).toBe(expected);
});
