import { expect, test } from 'vitest';
import { pastedArguments } from './use-document';

test.each([
  ['{"a": 1.0}', '{"a": 1.0}'],
  [' [1] ', '[1]'],
  [
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":18446744073709551615}}}',
    '{"n":18446744073709551615}',
  ],
  ['{"name":"t","arguments":{"b":2,"1":1}}', '{"b":2,"1":1}'],
  ['{"name":"t","arguments":{},"x":1,"y":2}', '{"name":"t","arguments":{},"x":1,"y":2}'],
  ['{"name":"only a name"}', '{"name":"only a name"}'],
  ['not JSON', undefined],
])('%s: the pasted arguments are %s', (text, found) => {
  expect(pastedArguments(text)).toBe(found);
});
