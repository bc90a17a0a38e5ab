import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify } from './classify';

const encode = (text: string) => new TextEncoder().encode(text);
const kindOf = (text: string) => classify(encode(text)).kind;

describe('kinds', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 'request'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 'request'],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}', 'notification'],
    ['{"method":"notifications/initialized"}', 'notification'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 'response'],
    ['{"jsonrpc":"2.0","id":1,"result":null}', 'response'],
    ['{"id":1,"result":{}}', 'response'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":null}', 'response'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}', 'error'],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}', 'error'],
    ['{"jsonrpc":"2.0","error":"not even an object"}', 'error'],
    ['[{"jsonrpc":"2.0","id":1,"result":{}}]', 'batch'],
    ['\u2028 {"jsonrpc":"2.0","id":1,"result":{}}', 'junk'],
    ['  {"jsonrpc":"2.0","id":1,"result":{}}\r', 'response'],
  ])('%s is %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  test.each([
    '',
    ' ',
    'Server listening on stdio',
    '{"jsonrpc":"2.0","id":1,',
    'null',
    '42',
    '"text"',
    '[]',
    '[1,2]',
    '{}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"level":"info","msg":"started"}',
    '{"method":"GET","url":"/","error":"none"}',
    '\ufeff{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"__proto__":{"jsonrpc":"2.0","id":1,"result":{}}}',
  ])('%j is junk', (text) => {
    expect(classify(encode(text))).toMatchObject({ kind: 'junk', messages: [] });
  });
});

describe('messages', () => {
  test.each([
    ['tools/call', { name: 'echo' }, 'echo'],
    ['resources/read', { uri: 'file:///a' }, 'file:///a'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' } }, 'greet'],
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'a://{b}' } }, 'a://{b}'],
    ['initialize', { clientInfo: { name: 'us' } }, 'us'],
    ['notifications/message', { level: 'warning' }, 'warning'],
    ['tools/call', { name: 7 }, undefined],
    ['tools/call', ['echo'], undefined],
    ['constructor', { name: 'x' }, 'x'],
  ])('%s with %j is about %s', (method, params, name) => {
    const [message] = classify(encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).messages;
    expect(message).toMatchObject({ method, name });
  });

  test.each([
    ['1', 1],
    ['"1"', '1'],
    ['null', null],
    ['1.5', 1.5],
    ['{}', undefined],
    ['true', undefined],
  ])('id %s is read as %j', (written, id) => {
    expect(classify(encode(`{"jsonrpc":"2.0","id":${written},"result":{}}`)).messages[0]?.id).toBe(id);
  });

  test('a batch keeps what is a message and leaves out the rest', () => {
    const { messages } = classify(encode('[{"jsonrpc":"2.0","id":1,"result":{}},7,{"jsonrpc":"2.0","method":"a"}]'));
    expect(messages.map(({ kind }) => kind)).toEqual(['response', 'notification']);
  });

  test('invalid UTF-8 inside a message is told, and the message still read', () => {
    const bytes = encode('{"jsonrpc":"2.0","id":1,"result":"?"}');
    bytes[bytes.indexOf(0x3f)] = 0xff;
    expect(classify(bytes)).toMatchObject({ kind: 'response', invalidUtf8: true });
    expect(classify(encode('{"jsonrpc":"2.0","id":1,"result":"é"}')).invalidUtf8).toBe(false);
  });

  test('200,000 nested arrays do not overflow the stack, and are a monster instead of a message', () => {
    const nested = (depth: number) => `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(kindOf(nested(200))).toBe('response');
    expect(kindOf(nested(200_000))).toBe('junk');
    expect(kindOf('['.repeat(200_000))).toBe('junk');
  });
});

test('any bytes and any JSON can be classified', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(encode)), (bytes) => {
      const { kind, messages } = classify(bytes);
      expect(kind === 'junk').toBe(messages.length === 0);
    }),
    { seed: 1 },
  );
});
