import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { KeptSecrets } from './kept-secrets';

test('a field of a frame, until all is forgotten', () => {
  const kept = new KeptSecrets();
  kept.keep(7, [
    [0, 'a'],
    ['url', 'b'],
  ]);
  expect([kept.get(7, 0), kept.get(7, 'url'), kept.get(7, 1), kept.get(8, 0)]).toEqual([
    'a',
    'b',
    undefined,
    undefined,
  ]);
  kept.forget();
  expect(kept.get(7, 0)).toBeUndefined();
});

test('the oldest go first, by number and by length', () => {
  const kept = new KeptSecrets();
  for (let seq = 1; seq <= LIMITS.revealFrames + 1; seq++) kept.keep(seq, [[0, 'x']]);
  expect([kept.get(1, 0), kept.get(2, 0)]).toEqual([undefined, 'x']);
  kept.keep(9_000, [[0, 'y'.repeat(LIMITS.revealCharacters)]]);
  expect([kept.get(LIMITS.revealFrames, 0), kept.get(9_000, 0)?.length]).toEqual([undefined, LIMITS.revealCharacters]);
});
