import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ProgressBar, percentOf, WorkProgress } from './progress';

test('a bar has its percentage, and its figures for screen readers', () => {
  const html = renderToStaticMarkup(<ProgressBar label="Importing" done={1} of={3} figures="1 MB of 3 MB" />);
  expect(html).toContain('aria-valuenow="33"');
  expect(html).toContain('aria-valuetext="1 MB of 3 MB"');
});

test('percentages are whole, within 0 and 100, and 100 only for all', () => {
  expect([percentOf(0, 0), percentOf(999, 1000), percentOf(7, 5), percentOf(-1, 5)]).toEqual([0, 99, 100, 0]);
});

test('shows nothing at first', () => {
  expect(renderToStaticMarkup(<WorkProgress what="Importing" onCancel={() => {}} />)).toBe('');
});
