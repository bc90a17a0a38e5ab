import { expect, test } from 'vitest';
import { namedParams } from './use-request';

test('arguments go out as they are written, on one line', () => {
  expect(namedParams({ name: 'e"cho' }, '{\n  "n": 18446744073709551615,\n  "n": 1.0\n}')).toBe(
    '{"name":"e\\"cho","arguments":{"n":18446744073709551615,"n":1.0}}',
  );
});

test('a name that is none is not mended', () => {
  expect(namedParams({ name: 7 }, '{}')).toBe('{"name":7,"arguments":{}}');
  expect(namedParams({}, '{}')).toBe('{"arguments":{}}');
});
