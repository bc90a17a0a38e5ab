import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ExcerptText, excerptAround } from './tree-block';

test('highlights occurrences and counts the characters left out', () => {
  const text = `${'x'.repeat(100_000)}needle${'y'.repeat(100_000)}`;
  const markup = renderToStaticMarkup(<ExcerptText text={text} part={excerptAround(text, 'needle')!} />);
  expect(markup).toMatch(/x<mark[^>]*>needle<\/mark>/);
  expect(markup).toContain('98,000 characters before');
  expect(markup).toMatch(/[\d,]+ characters after/);
  expect(markup.length).toBeLessThan(40_000);
});

test('shows a long text around the first occurrence, with every occurrence in it', () => {
  const text = `${'x'.repeat(500_000)}Needle and needle${'y'.repeat(500_000)}needle`;
  const part = excerptAround(text, 'needle')!;
  expect(part.hits).toEqual([
    [500_000, 500_006],
    [500_011, 500_017],
  ]);
  expect(part.from).toBeGreaterThan(490_000);
  expect(part.to - part.from).toBeLessThan(40_000);
});

test('shows the start of a text if the occurrence is near it', () => {
  expect(excerptAround('a needle', 'NEEDLE')).toEqual({ from: 0, to: 8, hits: [[2, 8]] });
  expect(excerptAround(`${'x'.repeat(1000)}needle`, 'needle')?.from).toBe(0);
});

test('does not split a surrogate pair', () => {
  const text = `${'😀'.repeat(40_000)}needle${'😀'.repeat(40_000)}`;
  for (const pad of ['', 'a']) {
    const { from, to } = excerptAround(pad + text, 'needle')!;
    expect((pad + text).slice(from, to).isWellFormed?.() ?? true).toBe(true);
    expect((pad + text).charCodeAt(from) >> 10).not.toBe(0xdc00 >> 10);
  }
});

test.each([
  ['abc', 'x'],
  ['abc', ''],
])('%j has no %j', (text, query) => {
  expect(excerptAround(text, query)).toBeUndefined();
});
