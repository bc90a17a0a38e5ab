import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { OlderNote } from './older-note';
import { UsedSpace } from './used-space';

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
