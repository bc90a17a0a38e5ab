import { expect, test } from 'vitest';
import { readSettingsExport } from './settings-export';

const read = (content: unknown) =>
  readSettingsExport(new Blob([typeof content === 'string' ? content : JSON.stringify(content)]));

test('reads settings and the retention', async () => {
  const keep = { days: 7, bytes: 1000 };
  expect(await read({ theme: 'dark', keep })).toEqual({ settings: { theme: 'dark' }, keep, ignored: [] });
});

test('names what it ignores, at most ten names', async () => {
  expect(await read({ theme: 'blue', later: 1, keep: { days: 0 }, singleKeys: false })).toEqual({
    settings: { singleKeys: false },
    ignored: ['theme', 'later', 'keep'],
  });
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}`.padEnd(500, 'x'), 0]));
  const { ignored } = await read(many);
  expect(ignored).toHaveLength(11);
  expect(Math.max(...ignored.map(({ length }) => length))).toBe(60);
});

test.each(['', 'not JSON', '[]', '7', `{"a":"${'x'.repeat(5_000_000)}"}`])('refuses %.20j', async (text) => {
  await expect(read(text)).rejects.toMatchObject({ code: 'not-settings' });
});
