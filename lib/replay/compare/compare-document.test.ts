import { expect, test } from 'vitest';
import { compareDocument } from './compare-document';

test('docs/compare.md is what the tables say: vitest -u writes it anew', async () => {
  await expect(compareDocument()).toMatchFileSnapshot('../../docs/compare.md');
});
