import { describe, expect, test } from 'vitest';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { parseTarget } from './target-text';

function only(text: string) {
  const { targets } = parseTarget(text);
  expect(targets).toHaveLength(1);
  return targets[0]!;
}

describe('a command line', () => {
  test.each([
    ['node server.js --flag', ['node', 'server.js', '--flag']],
    [`node 'my server.js' "two words" a\\ b ''`, ['node', 'my server.js', 'two words', 'a b', '']],
    ['$ node server.js', ['node', 'server.js']],
    ['> node server.js', ['node', 'server.js']],
    ['npx -y thing \\\n  --root /tmp', ['npx', '-y', 'thing', '--root', '/tmp']],
    ['npx -y thing \\\r\n  --root /tmp', ['npx', '-y', 'thing', '--root', '/tmp']],
    ['sh -c "id; curl $(x)"', ['sh', '-c', 'id; curl $(x)']],
    ['foo;rm -rf /', ['foo;rm', '-rf', '/']],
    ['"/opt/my node/bin/node" x.js', ['/opt/my node/bin/node', 'x.js']],
    ['npx mcp-inspector-thing --env A=1', ['npx', 'mcp-inspector-thing', '--env', 'A=1']],
    ['npx mcp-inspect node server.js', ['node', 'server.js']],
    [
      '$ npx -y mcp-inspect@latest --no-open --port 0 -- node server.js --env X=1',
      ['node', 'server.js', '--env', 'X=1'],
    ],
    ['mcp-inspect node server.js', ['node', 'server.js']],
  ])('%s', (text, words) => {
    const { target } = only(text);
    expect(target.transport === 'stdio' && [target.command, ...target.args]).toEqual(words);
  });

  test('sets variables by leading assignments; later ones are arguments', () => {
    expect(only('API_KEY="a b" DEBUG= node server.js X=1').target).toEqual({
      transport: 'stdio',
      command: 'node',
      args: ['server.js', 'X=1'],
      env: { API_KEY: 'a b', DEBUG: '' },
    });
  });

  test('keeps its options if it is pasted with mcp-inspect', () => {
    expect(only('npx mcp-inspect --env K=v --cwd=/tmp --protocol 2025-06-18 node s.js')).toEqual({
      target: { transport: 'stdio', command: 'node', args: ['s.js'], cwd: '/tmp', env: { K: 'v' } },
      protocol: '2025-06-18',
    });
  });

  test('with --protocol none gives the protocol `none`', () => {
    expect(only('mcp-inspect --protocol none -- node s.js')).toMatchObject({ protocol: 'none' });
  });

  test('can set a variable named __proto__', () => {
    const { target } = only('__proto__=1 node');
    expect(target.transport === 'stdio' && Object.keys(target.env!)).toEqual(['__proto__']);
  });

  test.each([
    ['', /Nothing entered/],
    ['   \n', /Nothing entered/],
    ['A=1 B=2', /command is missing/],
    ['npx mcp-inspect', /command is missing/],
    ["node 'server.js", /open quote/],
    ['node server.js \\', /open quote/],
  ])('%j is a problem', (text, problem) => {
    expect(parseTarget(text)).toEqual({ targets: [], problem: expect.stringMatching(problem) });
  });
});

describe('a URL', () => {
  test.each(['https://example.com/mcp', 'http://127.0.0.1:3000/mcp?x=1', 'npx mcp-inspect HTTPS://example.com'])(
    '%s is a target',
    (text) => {
      const server = only(text);
      expect(server.target).toEqual({ transport: 'auto', url: text.split(' ').at(-1) });
      expect(parseTarget(text).problem).toBeUndefined();
    },
  );

  test.each(['ftp://example.com', 'file:///etc/passwd', 'http://', 'https://example.com and more'])(
    '%s is a problem',
    (text) => {
      expect(parseTarget(text)).toEqual({ targets: [], problem: expect.any(String) });
    },
  );
});

describe('a URL without its scheme', () => {
  test.each(['localhost:3911/mcp', ' 127.0.0.1:80', 'npx mcp-inspect localhost/mcp'])(
    '%s is on this machine',
    (text) => {
      const word = text.trim().split(' ').at(-1);
      expect(only(text).target).toEqual({ transport: 'auto', url: `http://${word}` });
    },
  );

  test('is only suggested if it is on another machine', () => {
    expect(parseTarget('example.com/mcp')).toEqual({
      targets: [],
      problem: expect.stringContaining('Did you mean https://example.com/mcp?'),
    });
    expect(only('./example.com/mcp').target).toMatchObject({ command: './example.com/mcp' });
    expect(only('example.com/mcp --port 1').target).toMatchObject({ command: 'example.com/mcp' });
  });
});

describe('JSON', () => {
  test('of a config gives all its servers', () => {
    const text = '{"mcpServers": {"a": {"command": "node", "args": ["a.js"]}, "b": {"command": "b"}}}';
    expect(parseTarget(text).targets.map((server) => [server.name, server.target])).toEqual([
      ['a', { transport: 'stdio', name: 'a', command: 'node', args: ['a.js'] }],
      ['b', { transport: 'stdio', name: 'b', command: 'b', args: [] }],
    ]);
    expect(parseTarget(text).problem).toBeUndefined();
  });

  test('may lack the outer braces, as in READMEs', () => {
    expect(only('"files": {\n  "command": "npx",\n  "args": ["-y", "files"],\n},').target).toEqual({
      transport: 'stdio',
      name: 'files',
      command: 'npx',
      args: ['-y', 'files'],
    });
  });

  test('may have comments and trailing commas, and strings that look like them', () => {
    const text = `// my servers
    { "servers": { /* one */ "a": { "command": "x", "args": ["http://h/*", "a,]", "// no",], }, } }`;
    expect(only(text).target).toMatchObject({ command: 'x', args: ['http://h/*', 'a,]', '// no'] });
  });

  test.each(['{"mcpServers": ', '[1, 2', '{}', '[]', '{"mcpServers": []}', '{"mcpServers": {}}', '{"a": 1}'])(
    '%s is a problem',
    (text) => {
      expect(parseTarget(text)).toEqual({ targets: [], problem: expect.any(String) });
    },
  );
});

test.each(['"', '{"', '{"\\"', '{ /* ', '{"a":1, /*"', '{//', '{ , ', "$'", 'a""', 'A=1 ', '"a\\n'])(
  '400 kB of %j is answered within two seconds',
  (unit) => {
    const text = unit.repeat(400_000 / unit.length);
    const begun = cpuMs();
    expect(parseTarget(text)).toMatchObject({ targets: [], problem: expect.any(String) });
    // A quadratic parser takes more than ten seconds for each of these.
    expect(cpuMs() - begun).toBeLessThan(2000);
  },
);
