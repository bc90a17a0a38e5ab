import { expect, test } from 'vitest';
import { closest } from './closest';

test.each([
  ['codxe', 'codex'],
  ['cod', 'codex'],
  ['curosr', 'cursor'],
  ['nodey', undefined],
  ['xx', undefined],
])('%s means %s', (word, meant) => expect(closest(word, ['codex', 'cursor', 'goose'])).toBe(meant));
