import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PartFailed } from './part-boundary';

const markup = (error: unknown) =>
  renderToStaticMarkup(<PartFailed name="The page" failed={{ error, retry: () => {} }} />);

test.each([
  Object.assign(new Error('Failed to load chunk /_next/static/chunks/a.js'), { name: 'ChunkLoadError' }),
  new TypeError('Failed to fetch dynamically imported module: http://127.0.0.1/a.js'),
  new TypeError('error loading dynamically imported module'),
])('names code that mcp-inspect did not send: $message', (error) => {
  expect(markup(error)).toContain('The page could not be loaded, because mcp-inspect did not answer.');
  expect(markup(error)).toContain('This tab keeps what you typed.');
  expect(markup(error)).toContain('Reload');
  expect(markup(error)).not.toContain('Copy error');
});

test('another error can be copied', () => {
  expect(markup(new Error('x is undefined'))).toContain('The page could not be displayed.');
  expect(markup(new Error('x is undefined'))).toContain('Copy error');
});
