import { expect, test } from 'vitest';
import { previewHeaders } from './header-preview';

const param = (type: string, header: string) => ({ type, 'x-mcp-header': header });
const schema = {
  type: 'object',
  properties: { city: param('string', 'City'), at: { type: 'object', properties: { zone: param('integer', 'Zone') } } },
};
const preview = (args: unknown, name = 'add', inputSchema: unknown = schema) =>
  previewHeaders({
    method: 'tools/call',
    params: { name },
    schema: inputSchema,
    argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
  });

test('shows the method, the name and each marked argument as it is sent', () => {
  expect(preview({ city: 'Bern', at: { zone: 7 } }).headers).toEqual([
    { name: 'Mcp-Method', value: 'tools/call' },
    { name: 'Mcp-Name', value: 'add' },
    { name: 'Mcp-Param-City', value: 'Bern' },
    { name: 'Mcp-Param-Zone', value: '7' },
  ]);
});

test('shows what an encoded value stands for', () => {
  expect(preview({ city: 'Zürich' }, 'größe').headers.slice(1)).toEqual([
    { name: 'Mcp-Name', value: '=?base64?Z3LDtsOfZQ==?=', text: 'größe' },
    { name: 'Mcp-Param-City', value: '=?base64?WsO8cmljaA==?=', text: 'Zürich' },
    { name: 'Mcp-Param-Zone', value: undefined },
  ]);
});

test.each([
  [{ city: ['a'] }, 'An array can’t be a header'],
  [{ city: { a: 1 } }, 'An object can’t be a header'],
  [{ city: 1.5 }, 'Set an integer'],
  ['{"city": 9007199254740993}', 'Set an integer'],
  [{ city: 'x'.repeat(9000) }, 'longer than 8 KB'],
])('says why %j can’t be a header', (args, problem) => {
  expect(preview(args).headers[2]!.problem).toContain(problem);
});

test('sends no header for absent and null arguments, and for text that is not JSON', () => {
  for (const args of [{}, { city: null }, '{"torn', '']) {
    expect(
      preview(args)
        .headers.slice(2)
        .map(({ value, problem }) => [value, problem]),
    ).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  }
});

test('says why a schema has no headers', () => {
  const wrong = { type: 'object', properties: { ratio: param('number', 'Ratio') } };
  expect(preview({ ratio: 1 }, 'add', wrong)).toEqual({
    headers: [expect.anything(), expect.anything()],
    problem: expect.stringContaining('not a string, integer or boolean'),
  });
});
