import { expect, test } from 'vitest';
import { requestKey } from './request-matching';

const META = {
  progressToken: 7,
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c' },
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/logLevel': 'debug',
  traceparent: '00-1-2-01',
  tracestate: 'a=b',
  baggage: 'c=d',
};

test('ignores the client’s identity and the request’s number', () => {
  const plain = requestKey('tools/call', '{"name":"echo","arguments":{"a":1}}');
  expect(plain).toBe('tools/call {"arguments":{"a":1},"name":"echo"}');
  const dressed = JSON.stringify({ _meta: META, arguments: { a: 1 }, name: 'echo' });
  expect(requestKey('tools/call', dressed)).toBe(plain);
  expect(requestKey('tools/list', undefined)).toBe(requestKey('tools/list', '{"_meta":{"progressToken":1}}'));
});

test('empty arguments match missing ones', () => {
  const plain = requestKey('tools/call', '{"name":"echo"}');
  expect(requestKey('tools/call', '{"name":"echo","arguments":{ }}')).toBe(plain);
  expect(requestKey('tools/call', JSON.stringify({ _meta: META, arguments: {}, name: 'echo' }))).toBe(plain);
  expect(requestKey('tools/call', '{"name":"echo","arguments":[]}')).not.toBe(plain);
});

test('does not ignore other metadata, or members of the same names elsewhere', () => {
  const plain = requestKey('tools/call', '{"name":"echo"}');
  expect(requestKey('tools/call', '{"name":"echo","_meta":{"tenant":1}}')).not.toBe(plain);
  expect(requestKey('tools/call', '{"name":"echo","progressToken":1}')).not.toBe(plain);
  expect(requestKey('tools/call', '{"name":"echo","arguments":{"_meta":{"progressToken":1}}}')).not.toBe(
    requestKey('tools/call', '{"name":"echo","arguments":{"_meta":{"progressToken":2}}}'),
  );
});

test.each(['[1]', '5', 'null', '{"_meta":5}', 'nonsense'])(
  'params that are not an MCP object have a key, too: %s',
  (params) => {
    expect(requestKey('x', params)).toBe(`x ${params}`);
  },
);
