import { expect, test } from 'vitest';
import type { Part, Span } from '@/lib/store/spans';
import { spanWords } from './span-words';

const part = (from: number, to: number | undefined, status: Part['status']): Part => ({ from, to, status });
const none: Span = { whole: undefined, parts: [], asked: [], ticks: [], at: undefined };

test.each<[Partial<Span>, string]>([
  [{}, ''],
  [{ at: 5000 }, 'at +0.005 s'],
  [{ at: 5000, whole: { from: 1000, to: 5000 } }, 'end of 4.0 ms from +0.001 s'],
  [{ at: 3000, whole: { from: 1000, to: 5000 } }, 'at +0.003 s'],
  [{ parts: [part(1000, 3000, 'ok')] }, '2.0 ms from +0.001 s, ok'],
  [{ parts: [part(1000, undefined, 'pending')], ticks: [1, 2] }, 'in flight since +0.001 s, notifications: 2'],
  [
    { whole: { from: 0, to: 9000 }, parts: [part(0, 1000, 'ok'), part(8000, 9000, 'ok')], asked: [part(1, 2, 'ok')] },
    '9.0 ms from +0.000 s, ok, 2 requests, asked by the server: 1',
  ],
])('%j', (span, words) => {
  expect(spanWords({ ...none, ...span })).toBe(words);
});
