import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { visibleText } from '@/components/ui/visible-text';
import { callHeaders } from './call-headers';
import { type DescribedRequest, hasOnly, ownParams } from './described-request';
import { configText, requestSnippets } from './request-snippets';
import { javascriptLiteral, pythonLiteral, pythonText, typescriptText } from './sdk-code';
import { curlText, inspectCommandText, shellQuote } from './shell-commands';

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
    cwd: "/srv/it's here",
    environment: { policy: 'allowlist', inherited: [], added: ['API_KEY'] },
    protocol: 'auto',
  },
  era: 'modern',
  version: '2026-07-28',
  profile: {},
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

/** Returns the words of a command line as a shell reads them, one per line. */
function words(line: string): string[] {
  const { stdout } = spawnSync('bash', ['-c', `printf '%s\\0' ${line}`], {
    env: { ...process.env, API_KEY: 'k', AUTHORIZATION: 'a' },
  });
  return stdout.toString().split('\0').slice(0, -1);
}
const posix = test.skipIf(process.platform === 'win32');

describe('an mcp-inspect command', () => {
  posix('is read back by a shell as the same words', () => {
    const args = '{"n":18446744073709551615,"city":"Zürich it\'s"}';
    const call = ['npx', 'mcp-inspect', 'call', 'add', '--args', args];
    const server = [
      '--capabilities',
      'all',
      '--env',
      'minimal',
      '--cwd',
      "/srv/it's here",
      '--env',
      'API_KEY=k',
      '--',
      'node',
      'my server.js',
    ];
    expect(words(inspectCommandText(stdio))).toEqual([...call, ...server]);
    expect(words(inspectCommandText(http))).toEqual([
      ...call,
      '--capabilities',
      'all',
      '--header',
      'Authorization: a',
      'http://127.0.0.1:1/mcp',
    ]);
  });

  test.each([
    ['resources/read', '{"uri":"a://b c"}', "read 'a://b c'"],
    ['resources/read', '{"uri":"skill:a"}', 'raw '],
    ['resources/read', '{"uri":"skill://a/SKILL.md"}', 'read skill://a/SKILL.md'],
    ['prompts/get', '{"name":"p"}', 'prompt p'],
    ['tools/list', undefined, 'list tools'],
    ['tools/list', '{"cursor":"2"}', 'raw '],
    ['tools/call', '{"name":"--help"}', 'raw '],
    ['tools/call', '{"name":"a","_meta":{"mine":1}}', 'raw '],
    ['tools/call', '{"name":"a","requestState":"s"}', 'raw '],
    ['tools/call', '{"name":"a","arguments":[1]}', 'raw '],
    ['tools/call', '{"name":"a","name":"b"}', 'raw '],
    ['tools/call', '{"name":"a","arguments":{},"task":{}}', "call a --args '{}' --task auto --capabilities"],
    ['tools/call', '{"name":"a","task":{"ttl":60000}}', 'call a --task 60000 --capabilities'],
    ['tools/call', '{"name":"a","task":{"ttl":null}}', 'raw '],
    ['tools/call', '{"name":"a","task":{"mine":1}}', 'raw '],
    ['prompts/get', '{"name":"p","task":{}}', 'raw '],
    ['resources/read', '{"uri":"a://","arguments":{}}', 'raw '],
    ['logging/setLevel', '{"level":"debug"}', 'raw '],
  ])('%s %s', (method, params, expected) => {
    expect(inspectCommandText({ ...stdio, method, params })).toContain(`npx mcp-inspect ${expected}`);
  });

  test('presents the same client', () => {
    const profile = {
      capabilities: { roots: {} },
      info: { name: 'my host', version: '2' },
      meta: { 'com.example/a': 1 },
      timeouts: { silenceMs: 1500 },
    };
    expect(inspectCommandText({ ...stdio, profile })).toContain(
      `--capabilities '{"roots":{}}' --client 'my host@2' --meta '{"com.example/a":1}' --request-timeout 1.5 `,
    );
    const start = { ...stdio.start, protocol: 'none' } as const;
    expect(inspectCommandText({ ...stdio, profile, start })).not.toMatch(/--capabilities|--client/);
  });

  test('asks for a task that the form asks for', () => {
    expect(inspectCommandText({ ...stdio, task: {} })).toContain(' --task auto --capabilities all');
    expect(inspectCommandText({ ...stdio, task: { ttl: 5 } })).toContain(' --task 5 ');
  });

  test('requests the same version', () => {
    expect(inspectCommandText({ ...stdio, start: { ...stdio.start, protocol: '2025-06-18' } })).toContain(
      '--protocol 2025-06-18 --env minimal',
    );
    expect(inspectCommandText({ ...http, start: { ...http.start, protocol: '2025-06-18' } })).toContain(
      '--protocol 2025-06-18 --header',
    );
    expect(inspectCommandText(http)).not.toContain('--protocol');
    expect(inspectCommandText({ ...stdio, start: { ...stdio.start, protocol: 'none' } })).toContain(
      ' --protocol none --env minimal',
    );
  });

  posix('a server’s text is neither run nor printed as control characters', () => {
    for (const text of [
      '$(id)',
      '`id`',
      'a\nb',
      "it's \u001b[2J",
      '!x',
      '\u202egnp',
      '\u2018x\u2019',
      '\u00ad\u061c\u180e',
      '\u{e0041}',
    ]) {
      expect(words(shellQuote(text))).toEqual([text]);
      expect(visibleText(shellQuote(text)).replaceAll('\n', '?')).toBe(shellQuote(text));
      // PowerShell takes these for quotes.
      expect(shellQuote(text)).not.toMatch(/[\u2018-\u201f]/);
    }
  });

  const plain = ['dash', 'sh'].find((name) => spawnSync(name, ['-c', 'true']).status === 0);
  test.skipIf(plain === undefined)('is one word even in a shell without escapes, and runs nothing there', () => {
    for (const text of ["'; echo PWNED; #\n", "\\'; echo PWNED; '\u001b", "it's\n$(echo PWNED)", '\n\\']) {
      const { stdout, stderr } = spawnSync(plain!, ['-c', `set -- ${shellQuote(text)}; echo $#`]);
      expect(`${stdout}${stderr}`).toBe('1\n');
      expect(words(shellQuote(text))).toEqual([text]);
    }
  });

  test('quotes a leading = for zsh', () => expect(shellQuote('=ls')).toBe(`$'=ls'`));
});

describe('curl', () => {
  test('sends the headers of the era without secret values', () => {
    const schema = { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } };
    const headers = callHeaders(http, 'add', schema, '{"city":"Zürich"}');
    const text = curlText('http://127.0.0.1:1/mcp', headers, '{"it\'s":1}');
    expect(text).toContain('curl -gsN http://127.0.0.1:1/mcp');
    expect(text).toContain(`-H 'Mcp-Name: add'`);
    expect(text).toContain('Mcp-Param-City: =?base64?');
    expect(text).toContain(`-H 'Authorization: '"$AUTHORIZATION"`);
    expect(text).toContain(`it'"'"'s`);
    const legacy = callHeaders({ ...http, era: 'legacy', version: '2025-11-25' }, 'add', schema, '');
    expect(legacy).toContainEqual(['MCP-Protocol-Version', '2025-11-25']);
    expect(curlText('http://a/', legacy, '')).toContain('"$MCP_SESSION_ID"');
  });

  test('sends headers of nested arguments, and none for invalid JSON', () => {
    const properties = { at: { type: 'object', properties: { zone: { type: 'integer', 'x-mcp-header': 'Zone' } } } };
    const schema = { type: 'object', properties };
    expect(callHeaders(http, 'add', schema, '{"at": {"zone": 7}}')).toContainEqual(['Mcp-Param-Zone', '7']);
    for (const text of ['{"at": {"zone": [1]}}', '{"at": 7}', '{"torn']) {
      expect(JSON.stringify(callHeaders(http, 'add', schema, text))).not.toContain('Mcp-Param');
    }
  });

  test('sends no headers for arguments if the schema has an invalid header name, like a call', () => {
    const n = { type: 'string', 'x-mcp-header': 'N' };
    const properties = { city: { type: 'string', 'x-mcp-header': 'A\r\nEvil' }, n };
    const headers = callHeaders(http, 'add', { type: 'object', properties }, '{"city":"x","n":"y"}');
    expect(JSON.stringify(headers)).not.toContain('Mcp-Param');
  });

  posix('a masked value in the URL becomes a variable', () => {
    const text = curlText('http://•••@a/m?sessionId=•••&b={1,2}#x', [], '');
    const env = { ...process.env, SESSIONID: 's', CREDENTIALS: 'c' };
    const { stdout } = spawnSync('bash', ['-c', text.replace('curl -gsN', 'printf %s')], { env });
    expect(stdout.toString()).toContain('http://c@a/m?sessionId=s&b={1,2}#x');
  });

  test('posts to the same URL, under a label that names the shells', () => {
    const snippets = requestSnippets(http, { url: 'http://127.0.0.1:1/elsewhere', headers: [], body: '{}' });
    expect(snippets.find(({ label }) => label === 'curl (bash, zsh)')?.text()).toContain(
      'http://127.0.0.1:1/elsewhere',
    );
    expect(snippets.map(({ label }) => label)).toContain('mcp-inspect command line (bash, zsh)');
  });

  test('sends an empty header', () => expect(curlText('http://a/', [['X', '']], '')).toContain(`-H 'X;'`));

  test('omits headers that curl sets', () => {
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

test('ownParams() removes members that clients add', () => {
  expect(ownParams('{"name":"a","_meta":{"progressToken":1,"io.modelcontextprotocol/x":{}}}')).toBe('{"name":"a"}');
  expect(ownParams('{"_meta":{"progressToken":1}}')).toBeUndefined();
  expect(ownParams('{"name":"a","_meta":{"traceparent":"00-1-2-01"}}')).toBe('{"name":"a"}');
  expect(ownParams('{"_meta":{"progressToken":1,"mine":1.0}}')).toBe('{"_meta":{"mine":1.0}}');
  expect(ownParams('[1]')).toBe('[1]');
});

test('hasOnly() compares the members of params', () => {
  expect(hasOnly(undefined, [])).toBe(true);
  expect(hasOnly('{"a":1}', ['a', 'b'])).toBe(true);
  for (const params of ['{"a":1,"c":2}', '{"a":1,"a":2}', '[1]']) expect(hasOnly(params, ['a', 'b'])).toBe(false);
});

test('JavaScript evaluates a literal to the parsed JSON', () => {
  for (const json of [
    '{"a":[1,"\\u2028\\u202e",null]}',
    '{"__proto__":{"x":1}}',
    '{"\\u005f_proto__":1,"b":"\\u200b"}',
    '"\u00ad\u061c\u180e\u{e0041}"',
    '"x"',
  ]) {
    const literal = javascriptLiteral(json);
    expect(literal).toBe(visibleText(literal));
    const read: unknown = new Function(`return (${literal})`)();
    expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(json)));
  }
  expect(javascriptLiteral('[18446744073709551615]')).toContain('18446744073709551615');
  expect(javascriptLiteral('{"__proto__": 18446744073709551615}')).toContain('18446744073709551615');
});

test('TypeScript: uses version, environment and headers of the connection', () => {
  expect(typescriptText(stdio)).toContain(`{ versionNegotiation: { mode: { pin: "2026-07-28" } } }`);
  expect(typescriptText(stdio)).toContain('"API_KEY": process.env.API_KEY');
  expect(typescriptText(stdio)).toContain('\n  args: [\n    "my server.js"\n  ],\n');
  expect(typescriptText({ ...http, era: 'legacy' })).not.toContain('versionNegotiation');
  expect(typescriptText(http)).toContain('"Authorization": process.env.AUTHORIZATION');
});

describe('Python', () => {
  test('writes values', () => {
    expect(pythonLiteral('{"a" : [true,false,null, 1.50,"x\\"\\u2028\\/"]}')).toBe(
      '{"a": [True, False, None, 1.50, "x\\"\\u2028/"]}',
    );
  });

  test('writes a call over each transport', () => {
    expect(pythonText(stdio)).toContain('server = StdioServerParameters(command="node", args=["my server.js"], env=');
    expect(pythonText(stdio)).toContain(
      'session.call_tool("add", arguments={"n": 18446744073709551615, "city": "Zürich it\'s"})',
    );
    expect(pythonText(http)).toContain('streamablehttp_client("http://127.0.0.1:1/mcp", headers={"Authorization":');
    expect(pythonText({ ...stdio, method: 'completion/complete' })).toBeUndefined();
    expect(pythonText({ ...stdio, method: 'tools/list', params: undefined })).toContain('session.list_tools()');
  });

  test.each([
    ['tools/list', '{"cursor":"2"}'],
    ['ping', '{"_meta":{"mine":1}}'],
    ['tools/call', '{"name":"a","_meta":{"mine":1}}'],
    ['tools/call', '{"name":"a","inputResponses":{}}'],
    ['tools/call', '{"name":"a","arguments":[1]}'],
    ['tools/call', '{"name":7}'],
    ['prompts/get', undefined],
  ])('writes nothing if no SDK call makes the same request: %s %s', (method, params) => {
    expect(pythonText({ ...stdio, method, params })).toBeUndefined();
  });

  test('escapes hidden characters as whole characters', () => {
    expect(pythonLiteral('"\u{e0041}\u061c"')).toBe('"\\U000e0041\\u061c"');
  });

  const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
  test.skipIf(python === undefined)('writes programs that Python can parse', () => {
    const check = 'import ast,sys; ast.parse(sys.stdin.read())';
    for (const request of [
      stdio,
      http,
      { ...http, method: 'tools/list', params: undefined },
      { ...stdio, method: 'resources/read', params: '{"uri":"a://"}' },
    ]) {
      const { status, stderr } = spawnSync(python!, ['-c', check], { input: pythonText(request) });
      expect(`${status} ${stderr}`).toBe('0 ');
    }
  });
});

test('a config names environment variables without their values', () => {
  expect(JSON.parse(configText(stdio.start))).toEqual({
    mcpServers: { adder: { command: 'node', args: ['my server.js'], env: { API_KEY: '…' } } },
  });
  expect(JSON.parse(configText(http.start))).toEqual({
    mcpServers: { far: { url: 'http://127.0.0.1:1/mcp', headers: { Authorization: '…' } } },
  });
});
