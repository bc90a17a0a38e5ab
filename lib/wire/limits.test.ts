import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LIMITS } from './limits';

test('each file of limits is taken up, and no limit stands in two of them', async () => {
  const files = readdirSync(join(import.meta.dirname, 'limits')).map((file) => file.replace(/\.ts$/, ''));
  const groups: readonly object[] = await Promise.all(files.map((file) => import(`./limits/${file}.ts`)));
  const names = groups.flatMap((group) => Object.values(group)).flatMap((limits: object) => Object.keys(limits));
  expect(names.sort()).toEqual(Object.keys(LIMITS).sort());
});
