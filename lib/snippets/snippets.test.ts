import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { visibleText } from '@/components/ui/visible-text';
import { callHeaders } from './call-headers';
import { configText } from './client-config';
import { commandText } from './command-line';
import { curlText } from './curl';
import { type DescribedRequest, ownParams } from './described-request';
import { javascriptLiteral } from './javascript-literal';
import { pythonLiteral, pythonText } from './python';
import { shellQuote } from './shell-quote';
import { typescriptText } from './typescript';

const stdio: DescribedRequest = {
  method: 'tools/call',
  params: '{"name":"add","arguments":{"n": 18446744073709551615, "city": "Zürich it\'s"}}',
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
};
const http: DescribedRequest = {
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

/** What a shell makes of a command line: its words, each on a line. */
function words(line: string): string[] {
  const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${line}`], {
    env: { ...process.env, API_KEY: 'k', AUTHORIZATION: 'a' },
  });
  return stdout.toString().split('\0').slice(0, -1);
}
const posix = test.skipIf(process.platform === 'win32');

describe('a command line of ours', () => {
  posix('a shell reads it back as it was meant', () => {
    const args = '{"n":18446744073709551615,"city":"Zürich it\'s"}';
    const call = ['npx', 'mcp-inspect', 'call', 'add', '--args', args];
    expect(words(commandText(stdio))).toEqual([...call, '--env', 'API_KEY=k', '--', 'node', 'my server.js']);
    expect(words(commandText(http))).toEqual([...call, '--header', 'Authorization: a', 'http://127.0.0.1:1/mcp']);
  });

  test.each([
    ['resources/read', '{"uri":"a://b c"}', "read 'a://b c'"],
    ['prompts/get', '{"name":"p"}', 'prompt p'],
    ['tools/list', undefined, 'list tools'],
    ['tools/list', '{"cursor":"2"}', 'raw '],
    ['tools/call', '{"name":"--help"}', 'raw '],
    ['logging/setLevel', '{"level":"debug"}', 'raw '],
  ])('%s %s', (method, params, expected) => {
    expect(commandText({ ...stdio, method, params })).toContain(`npx mcp-inspect ${expected}`);
  });

  posix('nothing of a server’s is run or printed as control characters', () => {
    for (const text of ['$(id)', '`id`', 'a\nb', "it's \u001b[2J", '!x', '\u202egnp']) {
      expect(words(shellQuote(text))).toEqual([text]);
      expect(visibleText(shellQuote(text)).replaceAll('\n', '?')).toBe(shellQuote(text));
    }
  });
});

describe('curl', () => {
  test('the headers of the era, and none of the values that are secret', () => {
    const schema = { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } };
    const headers = callHeaders(http, 'add', schema, '{"city":"Zürich"}');
    const text = curlText('http://127.0.0.1:1/mcp', headers, '{"it\'s":1}');
    expect(text).toContain('curl -sN http://127.0.0.1:1/mcp');
    expect(text).toContain(`-H 'Mcp-Name: add'`);
    expect(text).toContain('Mcp-Param-City: =?base64?');
    expect(text).toContain(`-H 'Authorization: '"$AUTHORIZATION"`);
    expect(text).toContain(`it'"'"'s`);
    const legacy = callHeaders({ ...http, era: 'legacy', version: '2025-11-25' }, 'add', schema, '');
    expect(legacy).toContainEqual(['MCP-Protocol-Version', '2025-11-25']);
    expect(curlText('http://a/', legacy, '')).toContain('"$MCP_SESSION_ID"');
  });

  test('headers of arguments within objects, and none of what is no JSON', () => {
    const properties = { at: { type: 'object', properties: { zone: { type: 'integer', 'x-mcp-header': 'Zone' } } } };
    const schema = { type: 'object', properties };
    expect(callHeaders(http, 'add', schema, '{"at": {"zone": 7}}')).toContainEqual(['Mcp-Param-Zone', '7']);
    for (const text of ['{"at": {"zone": [1]}}', '{"at": 7}', '{"torn']) {
      expect(JSON.stringify(callHeaders(http, 'add', schema, text))).not.toContain('Mcp-Param');
    }
  });

  test('what curl sets by itself is left to it', () => {
    expect(
      curlText(
        'http://a/',
        [
          ['Content-Length', '3'],
          ['X', 'y'],
        ],
        '',
      ),
    ).not.toContain('Content-Length');
  });
});

test('what clients add to a request by themselves is not its own', () => {
  expect(ownParams('{"name":"a","_meta":{"progressToken":1,"io.modelcontextprotocol/x":{}}}')).toBe('{"name":"a"}');
  expect(ownParams('{"_meta":{"progressToken":1}}')).toBeUndefined();
  expect(ownParams('{"_meta":{"progressToken":1,"mine":1.0}}')).toBe('{"_meta":{"mine":1.0}}');
  expect(ownParams('[1]')).toBe('[1]');
});

test('JavaScript reads a literal as JSON reads its text', () => {
  for (const json of [
    '{"a":[1,"\\u2028\\u202e",null]}',
    '{"__proto__":{"x":1}}',
    '{"\\u005f_proto__":1,"b":"\\u200b"}',
    '"x"',
  ]) {
    const literal = javascriptLiteral(json);
    expect(literal).not.toMatch(/[\u2028\u202e\u200b]/);
    const read: unknown = new Function(`return (${literal})`)();
    expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(json)));
  }
  expect(javascriptLiteral('[18446744073709551615]')).toContain('18446744073709551615');
});

test('TypeScript: version, environment and headers are those of the connection', () => {
  expect(typescriptText(stdio)).toContain(`{ versionNegotiation: { mode: { pin: "2026-07-28" } } }`);
  expect(typescriptText(stdio)).toContain('"API_KEY": process.env.API_KEY');
  expect(typescriptText({ ...http, era: 'legacy' })).not.toContain('versionNegotiation');
  expect(typescriptText(http)).toContain('"Authorization": process.env.AUTHORIZATION');
});

describe('Python', () => {
  test('values', () => {
    expect(pythonLiteral('{"a" : [true,false,null, 1.50,"x\\"\\u2028\\/"]}')).toBe(
      '{"a": [True, False, None, 1.50, "x\\"\\u2028/"]}',
    );
  });

  test('a call over each transport', () => {
    expect(pythonText(stdio)).toContain('server = StdioServerParameters(command="node", args=["my server.js"], env=');
    expect(pythonText(stdio)).toContain(
      'session.call_tool("add", arguments={"n": 18446744073709551615, "city": "Zürich it\'s"})',
    );
    expect(pythonText(http)).toContain('streamablehttp_client("http://127.0.0.1:1/mcp", headers={"Authorization":');
    expect(pythonText({ ...stdio, method: 'completion/complete' })).toBeUndefined();
  });

  const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
  test.skipIf(python === undefined)('a Python reads each as a program', () => {
    const check = 'import ast,sys; ast.parse(sys.stdin.read())';
    for (const request of [
      stdio,
      http,
      { ...http, method: 'tools/list' },
      { ...stdio, method: 'resources/read', params: '{"uri":"a://"}' },
    ]) {
      const { status, stderr } = spawnSync(python!, ['-c', check], { input: pythonText(request) });
      expect(`${status} ${stderr}`).toBe('0 ');
    }
  });
});

test('a config names the environment, and has none of its values', () => {
  expect(JSON.parse(configText(stdio.start))).toEqual({
    mcpServers: { adder: { command: 'node', args: ['my server.js'], env: { API_KEY: '…' } } },
  });
  expect(JSON.parse(configText(http.start))).toEqual({
    mcpServers: { far: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: '…' } } },
  });
});
