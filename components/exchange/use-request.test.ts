import { expect, test } from 'vitest';
import { namedParams } from './use-request';

test('sends arguments as written, on one line', () => {
  expect(namedParams({ name: 'e"cho' }, '{\n  "n": 18446744073709551615,\n  "n": 1.0\n}')).toBe(
    '{"name":"e\\"cho","arguments":{"n":18446744073709551615,"n":1.0}}',
  );
});

test('sends the _meta as written, on one line', () => {
  expect(namedParams({ name: 'echo' }, '{}', '{\n  "progressToken": "mine",\n  "n": 1.0\n}')).toBe(
    '{"name":"echo","arguments":{},"_meta":{"progressToken":"mine","n":1.0}}',
  );
  expect(namedParams({ name: 'echo' }, '', ' ')).toBe('{"name":"echo"}');
});

test('keeps an invalid or missing name', () => {
  expect(namedParams({ name: 7 }, '{}')).toBe('{"name":7,"arguments":{}}');
  expect(namedParams({}, '{}')).toBe('{"arguments":{}}');
});
