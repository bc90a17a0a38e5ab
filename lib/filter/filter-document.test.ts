import { expect, test } from 'vitest';
import { filterDocument } from './filter-document';
import { KEYS } from './keys/registry';
import { parseFilter } from './parse';
import { writtenValue } from './print';

test('docs/filter.md is what the keys say: vitest -u writes it anew', async () => {
  await expect(filterDocument()).toMatchFileSnapshot('../../docs/filter.md');
});

test('every example of a key, and every value it offers, can be written', () => {
  for (const { name, examples, suggestions } of KEYS.values()) {
    for (const value of [...examples, ...suggestions.map((suggestion) => suggestion.value)]) {
      const written = writtenValue(name, value);
      expect(parseFilter(written), written).toMatchObject({ ok: true });
    }
  }
});
