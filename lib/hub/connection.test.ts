import { expect, test } from 'vitest';
import { MaskedValues, REVEAL_CHARACTERS, REVEAL_FRAMES } from './connection';

const asking = (kept: MaskedValues, seq: number, field: number | 'url') => () => kept.get(seq, field);

test('reveals a field of a frame until the connection is over', () => {
  const kept = new MaskedValues();
  kept.keep(7, [
    [0, 'a'],
    ['url', 'b'],
  ]);
  expect([kept.get(7, 0), kept.get(7, 'url')]).toEqual(['a', 'b']);
  expect(asking(kept, 7, 1)).toThrow('not kept');
  expect(asking(kept, 8, 0)).toThrow('not kept');
  kept.forget();
  kept.keep(8, [[0, 'c']]);
  expect(asking(kept, 7, 0)).toThrow('not kept');
  expect(asking(kept, 8, 0)).toThrow('not kept');
});

test('drops the oldest values when there are too many, or they are too long', () => {
  const kept = new MaskedValues();
  for (let seq = 1; seq <= REVEAL_FRAMES + 1; seq++) kept.keep(seq, [[0, 'x']]);
  expect(asking(kept, 1, 0)).toThrow();
  expect(kept.get(2, 0)).toBe('x');
  kept.keep(9_000, [[0, 'y'.repeat(REVEAL_CHARACTERS)]]);
  expect(asking(kept, REVEAL_FRAMES, 0)).toThrow();
  expect(kept.get(9_000, 0)).toHaveLength(REVEAL_CHARACTERS);
});
