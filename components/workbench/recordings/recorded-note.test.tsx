import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RecordedNote } from './recorded-note';

const words = (props: Parameters<typeof RecordedNote>[0]) =>
  renderToStaticMarkup(<RecordedNote {...props} />).replace(/<[^>]*>/g, '');

test('what is recorded, and where', () => {
  expect(words({ reply: { folder: '/a' }, inBrowser: undefined })).toBe(
    'Every connection of the page is recorded as it runs, in /a.',
  );
  expect(words({ reply: { folder: '/a', off: true }, inBrowser: undefined })).toBe(
    'Nothing of this run is recorded, since mcp-inspect was started with --no-record. What was recorded before is in /a.',
  );
  expect(words({ reply: { folder: '' }, inBrowser: { on: false } })).toMatch(
    /^Nothing that is connected from now on is recorded, in this browser/,
  );
});
