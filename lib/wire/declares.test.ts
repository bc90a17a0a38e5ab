import { expect, test } from 'vitest';
import { declares, mayHaveLists } from './declares';

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

test.each<[object, boolean]>([
  [{ capabilities: { tools: {} } }, true],
  [{ capabilities: { tools: [] } }, true],
  [{ capabilities: { tools: null } }, true],
  [{ capabilities: {}, invalidCapabilities: null }, true],
  [{ capabilities: {}, invalidCapabilities: ['tools'] }, true],
  [{ capabilities: { tools: false } }, false],
  [{ capabilities: {} }, false],
])('%j may have a list of tools: %s', (negotiated, expected) => {
  expect(mayHaveLists({ capabilities: {}, ...negotiated }, 'tools')).toBe(expected);
});
