import { describe, expect, test } from 'vitest';
import { type CopiedCall, configText, requestText, shellText } from './copy-forms';

const stdio: CopiedCall = {
  tool: { name: 'add' },
  schema: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' }, n: { type: 'integer' } } },
  argumentsText: '{\n  "n": 18446744073709551615, "city": "Zürich it\'s"\n}',
  start: {
    event: 'start',
    at: '',
    name: 'adder',
    transport: 'stdio',
    command: 'node',
    args: ['my server.js'],
    cwd: '/',
    environment: { policy: 'allowlist', inherited: [], added: ['API_KEY'] },
    protocol: 'auto',
  },
  era: 'modern',
  version: '2026-07-28',
  meta: undefined,
};
const http: CopiedCall = {
  ...stdio,
  start: {
    event: 'start',
    at: '',
    name: 'far',
    transport: 'http',
    url: 'http://127.0.0.1:1/mcp',
    headerNames: ['Authorization'],
    protocol: 'auto',
  },
};

test('the request has the digits that were typed', () => {
  expect(requestText({ ...stdio, meta: '{ "a": 1 }' })).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"n":18446744073709551615,"city":"Zürich it\'s"},"_meta":{"a":1}}}',
  );
  expect(requestText({ ...stdio, argumentsText: ' ' })).toContain('"params":{"name":"add"}}');
});

describe('from a terminal', () => {
  test('a server that is started: our own command', () => {
    expect(shellText({ ...stdio, argumentsText: '{"a": 1}' })).toBe(
      `npx mcp-inspect call add --args '{"a":1}' -- node 'my server.js'`,
    );
    expect(shellText({ ...stdio, argumentsText: '' })).toBe(`npx mcp-inspect call add -- node 'my server.js'`);
  });

  test('a server at a URL: curl, with the headers of its era and none of the values that are secret', () => {
    const text = shellText(http)!;
    expect(text).toContain(`curl -sN http://127.0.0.1:1/mcp`);
    expect(text).toContain(`-H 'Mcp-Name: add'`);
    expect(text).toContain('Mcp-Param-City: =?base64?');
    expect(text).toContain(`-H 'Authorization: …'`);
    expect(text).toContain(`it'"'"'s`);
    expect(shellText({ ...http, era: 'legacy', version: '2025-11-25' })).toContain('Mcp-Session-Id');
  });

  test('headers of arguments within objects; none of what is no JSON', () => {
    const properties = { at: { type: 'object', properties: { zone: { type: 'integer', 'x-mcp-header': 'Zone' } } } };
    const nested = { ...http, schema: { type: 'object', properties } };
    expect(shellText({ ...nested, argumentsText: '{"at": {"zone": 7}}' })).toContain(`-H 'Mcp-Param-Zone: 7'`);
    expect(shellText({ ...nested, argumentsText: '{"at": {"zone": [1]}}' })).not.toContain('Mcp-Param');
    expect(shellText({ ...nested, argumentsText: '{"torn' })).toContain('torn');
  });

  test('nothing before it is known how the server was reached', () => {
    expect(shellText({ ...stdio, start: undefined })).toBeUndefined();
    expect(configText({ ...stdio, start: undefined })).toBeUndefined();
  });
});

test('a config names the environment, and has none of its values', () => {
  expect(JSON.parse(configText(stdio)!)).toEqual({
    mcpServers: { adder: { command: 'node', args: ['my server.js'], env: { API_KEY: '…' } } },
  });
  expect(JSON.parse(configText(http)!)).toEqual({
    mcpServers: { far: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: '…' } } },
  });
});
