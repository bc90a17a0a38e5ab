import { Suspense } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import { lazyWhenIdle } from './lazy-when-idle';

afterEach(() => vi.unstubAllGlobals());

test('renders a fetched component without a fallback', async () => {
  vi.stubGlobal('window', { requestIdleCallback: (run: () => void) => run() });
  const fetched = Promise.resolve(() => <p>here</p>);
  const Late = lazyWhenIdle(() => fetched);
  await fetched;
  expect(renderToStaticMarkup(<Suspense fallback="waiting">{<Late />}</Suspense>)).toBe('<p>here</p>');
});
