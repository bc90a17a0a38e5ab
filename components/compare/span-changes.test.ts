import { expect, it } from 'vitest';
import type { SpanName } from '@/lib/store/telemetry/span-names';
import { spanNoteText, verdictOf } from './span-changes';

const spans = (medianUs: number, failed = 0): SpanName => ({
  service: 's',
  name: 'x',
  count: 1,
  failed,
  medianUs,
  p95Us: medianUs,
  ownUs: medianUs,
  longest: 1,
});

it.each([
  ['only after', undefined, spans(1)],
  ['only before', spans(1), undefined],
  ['2 failed', spans(5000), spans(5000, 2)],
  ['about the same', spans(100), spans(900)],
  ['about the same', spans(100_000), spans(120_000)],
  ['1.5× slower', spans(10_000), spans(15_000)],
  ['20× faster', spans(100_000), spans(5000)],
] as const)('says "%s"', (words, before, after) => {
  expect(verdictOf({ service: 's', name: 'x', before, after }).words).toBe(words);
});

it('counts the names of spans that differ, and says nothing if none does', () => {
  const change = (before: SpanName | undefined, after: SpanName | undefined) => ({
    service: 's',
    name: 'x',
    before,
    after,
  });
  const same = change(spans(100), spans(100));
  expect(spanNoteText([same])).toBeUndefined();
  const slower = change(spans(10_000), spans(15_000));
  expect(spanNoteText([same, change(undefined, spans(1)), slower, slower, change(spans(1), spans(1, 3))])).toBe(
    'Inside the server, by span: 1 failing, 2 slower, 1 only after.',
  );
});
