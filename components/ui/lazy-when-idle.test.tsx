import { Suspense } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerender } from 'react-dom/static';
import { afterEach, expect, test, vi } from 'vitest';
import { lazyWhenIdle } from './lazy-when-idle';

afterEach(() => vi.unstubAllGlobals());

test('code that could not be fetched is asked for again when it is needed', async () => {
  vi.stubGlobal('window', { requestIdleCallback: (run: () => void) => run() });
  const load = vi.fn().mockRejectedValueOnce(new Error('mcp-inspect has ended'));
  load.mockResolvedValue(() => <p>here</p>);
  const Late = lazyWhenIdle(load);
  await expect.poll(() => load.mock.settledResults.length).toBe(1);
  const { prelude } = await prerender(<Suspense>{<Late />}</Suspense>);
  expect(await new Response(prelude).text()).toContain('<p>here</p>');
});

test('renders a fetched component without a fallback', async () => {
  vi.stubGlobal('window', { requestIdleCallback: (run: () => void) => run() });
  const fetched = Promise.resolve(() => <p>here</p>);
  const Late = lazyWhenIdle(() => fetched);
  await fetched;
  expect(renderToStaticMarkup(<Suspense fallback="waiting">{<Late />}</Suspense>)).toBe('<p>here</p>');
});
