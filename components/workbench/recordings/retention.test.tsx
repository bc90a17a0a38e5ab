import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { OlderNote, RecordedNote, RetentionForm, UsedSpace } from './retention';

const words = (props: Parameters<typeof RecordedNote>[0]) =>
  renderToStaticMarkup(<RecordedNote {...props} />).replace(/<[^>]*>/g, '');

test('says what is recorded, and where', () => {
  expect(words({ reply: { folder: '/a' }, inBrowser: undefined })).toBe('Every connection is recorded in /a.');
  expect(words({ reply: { folder: '/a', off: true }, inBrowser: undefined })).toBe(
    'Recording is off: mcp-inspect was started with --record off. Earlier recordings are in /a.',
  );
  expect(words({ reply: { folder: '' }, inBrowser: { on: false } })).toMatch(
    /^New connections are not recorded in this browser/,
  );
});

const MB = 1_000_000;

test.each([
  [{ days: 30, bytes: 1000 * MB }, undefined],
  [{ days: 0, bytes: 1000 * MB }, 'Enter a whole number of days from 1 to '],
  [{ days: 30, bytes: 0 }, 'Enter a whole number of MB from 1 to '],
])('says which limits are allowed: %j', (keep, words) => {
  const markup = renderToStaticMarkup(<RetentionForm keep={keep} recordings={[]} onKeep={async () => undefined} />);
  expect(markup.match(/aria-invalid="true"/g)?.length ?? 0).toBe(words ? 1 : 0);
  expect(markup.includes('role="alert"')).toBe(words !== undefined);
  if (words) expect(markup).toContain(words);
});

const text = (markup: string) => markup.replace(/<[^>]*>/g, '');
const OLDER = { count: 120, bytes: 3_000_000 };

test('says how many recordings are not listed, and can list more', () => {
  const markup = renderToStaticMarkup(<OlderNote listed={500} older={OLDER} onMore={() => {}} />);
  expect(text(markup)).toBe('Showing the newest 500 of 620. The others take 3.0 MB.Show more');
});

test('recordings that are not listed count as used', () => {
  const keep = { days: 30, bytes: 10_000_000 };
  const one = { id: 'a', name: 'a', at: new Date().toISOString(), bytes: 1_000_000, live: false };
  const words = text(renderToStaticMarkup(<UsedSpace keep={keep} recordings={[one]} older={OLDER} />));
  expect(words).toContain('121 recordings, 4.0 MB of 10.0 MB used');
  expect(words).not.toContain('oldest');
});
