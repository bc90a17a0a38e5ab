import { expect, test, vi } from 'vitest';
import { LazyEvals } from './lazy-evals';
import type { PageEvals } from './page-evals';

const loaded = () => {
  const evals = { isRunning: false, run: vi.fn(async () => 'answered'), close: vi.fn(async () => {}) };
  return { evals, asPage: evals as unknown as PageEvals };
};

test('loads again after it could not be loaded', async () => {
  const { asPage } = loaded();
  const load = vi.fn(async () => asPage).mockRejectedValueOnce(new Error('EMFILE'));
  const lazy = new LazyEvals(load);
  await expect(lazy.run({ kind: 'list' })).rejects.toThrow('EMFILE');
  expect(await lazy.run({ kind: 'list' })).toBe('answered');
  await lazy.run({ kind: 'list' });
  expect(load).toHaveBeenCalledTimes(2);
});

test('closes what is still being loaded', async () => {
  const { evals, asPage } = loaded();
  let finish = (_: PageEvals) => {};
  const lazy = new LazyEvals(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  const answer = lazy.run({ kind: 'list' });
  const closed = lazy.close();
  finish(asPage);
  await Promise.all([answer, closed]);
  expect(evals.close).toHaveBeenCalledOnce();
});
