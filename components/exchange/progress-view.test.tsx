import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { asked, got, logOf } from '@/lib/store/test-frames';
import { ProgressView } from './progress-view';

function shown(...progress: readonly object[]) {
  const log = logOf(
    asked(1, 'tools/call', { _meta: { progressToken: 1 } }),
    ...progress.map((params) =>
      got({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, ...params } }),
    ),
  );
  return renderToStaticMarkup(<ProgressView log={log} progress={log.exchange(1)!.progress!} />);
}

test('a known total has a bar, a rate and the time left', () => {
  const markup = shown({ progress: 1, total: 2001 }, { progress: 2, total: 2001, message: 'step 2' });
  expect(markup).toContain('aria-valuenow="2"');
  // The test’s frames are a millisecond apart.
  expect(markup).toContain('2 of 2,001 · 1,000 per second · about 1 s left');
  expect(markup).toContain('step 2');
});

test('without a total there is no bar', () => {
  const markup = shown({ progress: 1 }, { progress: 3 }, { progress: 5.25 });
  expect(markup).not.toContain('progressbar');
  expect(markup).toContain('5.25 · 2,125 per second · update 3, total not given');
});

test.each([
  [{ progress: 12, total: 10 }, '12 of 10 · more than the total'],
  [{ progress: -1, total: 10 }, '-1 of 10 · not a share'],
  [{ progress: 1, total: 0 }, '1 of 0 · more than the total'],
])('%j has no bar', (progress, text) => {
  const markup = shown(progress);
  expect(markup).not.toContain('progressbar');
  expect(markup).toContain(text);
});
