import { expect, test, vi } from 'vitest';
import { LazyPart } from './lazy-part';

test('loads again after it could not be loaded', async () => {
  const part = { close: vi.fn() };
  const load = vi.fn(async () => part).mockRejectedValueOnce(new Error('EMFILE'));
  const lazy = new LazyPart(load);
  await expect(lazy.get()).rejects.toThrow('EMFILE');
  expect(lazy.loaded).toBeUndefined();
  expect(await lazy.get()).toBe(part);
  await lazy.get();
  expect(load).toHaveBeenCalledTimes(2);
  expect(lazy.loaded).toBe(part);
});

test('closes what is still being loaded', async () => {
  const part = { close: vi.fn() };
  let finish = () => {};
  const lazy = new LazyPart(
    () =>
      new Promise<typeof part>((resolve) => {
        finish = () => resolve(part);
      }),
  );
  const got = lazy.get();
  const closed = lazy.close();
  finish();
  await Promise.all([got, closed]);
  expect(part.close).toHaveBeenCalledOnce();
});
