import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { foundPart } from './found-part';
import { FoundText } from './found-text';

test('what is found is marked where it stands, and what is left out is counted', () => {
  const text = `${'x'.repeat(100_000)}needle${'y'.repeat(100_000)}`;
  const markup = renderToStaticMarkup(<FoundText text={text} part={foundPart(text, 'needle')!} />);
  expect(markup).toMatch(/x<mark[^>]*>needle<\/mark>/);
  expect(markup).toContain('98,000 characters before');
  expect(markup).toMatch(/[\d,]+ characters after/);
  expect(markup.length).toBeLessThan(40_000);
});
