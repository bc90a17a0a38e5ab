import { expect, test } from 'vitest';
import type { SecretFinding } from '@/lib/redact/findings';
import { groupFindings } from './finding-groups';
import { outcomeText, reviewSummary } from './masked-text';

const finding = (kind: SecretFinding['kind'], id: string, count: number): SecretFinding => ({
  id,
  kind,
  count,
  rule: '',
  label: 'masked value',
  rank: 'certain',
  decision: 'mask',
  sample: 'gh…',
  length: 12,
  places: [],
  fixed: false,
});

function texts(...list: readonly SecretFinding[]) {
  const findings = { list, unlisted: 0, unchecked: 0 };
  const groups = groupFindings(findings, []);
  const review = reviewSummary({ frames: 7, bytes: 2000, findings }, groups, new Map());
  return { review, outcome: (masked: number) => outcomeText(masked, groups) };
}

test('values that were masked while recording are counted before and after sharing', () => {
  const { review, outcome } = texts(finding('masked', 'a', 3), finding('masked', 'b', 1));
  expect(review).toBe('Sharing 7 frames (2.0 KB). 2 values masked while recording. Nothing else looks like a secret.');
  expect(outcome(0)).toBe('4 places masked while recording.');
  expect(outcome(1)).toBe('1 place masked now, 4 places masked while recording.');
});

test('secrets that are masked now are counted', () => {
  const { review, outcome } = texts(finding('secret', 'a', 2));
  expect(review).toBe('Sharing 7 frames (2.0 KB). 1 value may be secret, 1 will be masked.');
  expect(outcome(2)).toBe('2 places masked now.');
});

test('nothing is masked only if nothing was masked at any time', () => {
  const { review, outcome } = texts();
  expect(review).toBe('Sharing 7 frames (2.0 KB). Nothing looks like a secret.');
  expect(outcome(0)).toBe('Nothing is masked.');
});
