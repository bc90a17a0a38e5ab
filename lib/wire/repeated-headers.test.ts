import { expect, test } from 'vitest';
import { encodeHeaderValue, ParamHeaders } from './repeated-headers';

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['a b\tc', 'a b\tc'],
  [' led', '=?base64?IGxlZA==?='],
  ['trailed ', '=?base64?dHJhaWxlZCA=?='],
  ['a\r\nX: 1', '=?base64?YQ0KWDogMQ==?='],
  ['ü', '=?base64?w7w=?='],
  ['\0', '=?base64?AA==?='],
  ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
])('encodes %j as %j', (value, encoded) => expect(encodeHeaderValue(value)).toBe(encoded));

test('treats names like __proto__ as data', () => {
  const headers = new ParamHeaders();
  const schema = '{"properties":{"__proto__":{"type":"string","x-mcp-header":"P"}}}';
  headers.learnTools(`{"result":{"tools":[{"name":"__proto__","inputSchema":${schema}},null,{"name":1}]}}`);
  headers.learnTools('not json');
  const call = (args: string) => `{"params":{"arguments":${args}}}`;
  expect(headers.headersFor('__proto__', call('{}'))).toEqual([]);
  expect(headers.headersFor('constructor', call('{}'))).toEqual([]);
  expect(headers.headersFor('__proto__', call('{"__proto__":"v"}'))).toEqual([['Mcp-Param-P', 'v']]);
});

test.each([
  ['12345678901234567890', '12345678901234567890'],
  ['1e3', '1000'],
  ['-0', '0'],
  ['1.5', '1.5'],
  ['true', 'true'],
  ['"1e3"', '1e3'],
  ['null', undefined],
  ['{"a":1}', undefined],
  ['[1]', undefined],
])('sends the argument %s as %s', (value, header) => {
  const headers = new ParamHeaders();
  headers.learnTools(
    '{"result":{"tools":[{"name":"t","inputSchema":{"properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}]}}',
  );
  const sent = headers.headersFor('t', `{"params":{"name":"t","arguments":{"n":${value}}}}`);
  expect(sent).toEqual(header === undefined ? [] : [['Mcp-Param-N', header]]);
});
