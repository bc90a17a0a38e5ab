import { expect, test } from 'vitest';
import { declares } from './declares';

test.each<[unknown, readonly string[], boolean]>([
  [{ tools: {} }, ['tools'], true],
  [{ tools: [] }, ['tools'], true],
  [{ tools: true }, ['tools'], true],
  [{ tools: null }, ['tools'], false],
  [{ tools: false }, ['tools'], false],
  [{}, ['tools'], false],
  [[], ['tools'], false],
  [undefined, ['tools'], false],
  [{ tools: { listChanged: false } }, ['tools', 'listChanged'], false],
  [{ tools: [] }, ['tools', 'listChanged'], false],
  [JSON.parse('{"__proto__":{"tools":{}}}'), ['tools'], false],
])('%j declares %j: %s', (capabilities, path, declared) => {
  expect(declares(capabilities, path)).toBe(declared);
});
