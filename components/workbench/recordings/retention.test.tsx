import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { OlderNote, RecordedNote, RetentionForm, UsedSpace } from './retention';

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

const MB = 1_000_000;

test.each([
  [{ days: 30, bytes: 1000 * MB }, undefined],
  [{ days: 0, bytes: 1000 * MB }, 'Days have to be a whole number from 1 to '],
  [{ days: 30, bytes: 0 }, 'MB have to be a whole number from 1 to '],
])('what can not be kept says so: %j', (keep, words) => {
  const markup = renderToStaticMarkup(<RetentionForm keep={keep} recordings={[]} onKeep={async () => undefined} />);
  expect(markup.match(/aria-invalid="true"/g)?.length ?? 0).toBe(words ? 1 : 0);
  expect(markup.includes('role="alert"')).toBe(words !== undefined);
  if (words) expect(markup).toContain(words);
});

const text = (markup: string) => markup.replace(/<[^>]*>/g, '');
const OLDER = { count: 120, bytes: 3_000_000 };

test('what is not listed is said, and can be listed', () => {
  const markup = renderToStaticMarkup(<OlderNote listed={500} older={OLDER} onMore={() => {}} />);
  expect(text(markup)).toBe('The newest 500 of 620 are listed; the rest has 3.0 MB.List more');
});

test('what is not listed takes room', () => {
  const keep = { days: 30, bytes: 10_000_000 };
  const one = { id: 'a', name: 'a', at: new Date().toISOString(), bytes: 1_000_000, live: false };
  const words = text(renderToStaticMarkup(<UsedSpace keep={keep} recordings={[one]} older={OLDER} />));
  expect(words).toContain('121 recordings, 4.0 MB of 10.0 MB used');
  expect(words).not.toContain('the oldest');
});
