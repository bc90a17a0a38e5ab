import { expect, test } from 'vitest';
import { resendParams } from './resend-params';

test('params come back as they were sent', () => {
  const params = '{ "b":9007199254740993, "a":1.0, "a":2 }';
  expect(resendParams(`{"jsonrpc":"2.0","id":4,"method":"x","params":${params}}`)).toBe(params);
  expect(resendParams('{"jsonrpc":"2.0","id":4,"method":"ping"}')).toBeUndefined();
  expect(resendParams('{"id":4,"params":[1]}')).toBe('[1]');
});

test('the progress token goes, what else is in _meta stays', () => {
  expect(resendParams('{"params":{"name":"n","_meta":{"progressToken":7,"k":1e2},"z":0}}')).toBe(
    '{"name":"n","_meta":{"k":1e2},"z":0}',
  );
  expect(resendParams('{"params":{"_meta":{"progressToken":7}}}')).toBe('{"_meta":{}}');
  expect(resendParams('{"params":{"_meta":"odd"}}')).toBe('{"_meta":"odd"}');
});

test('text that is no object is an error', () => expect(() => resendParams('[1]')).toThrow());
