import { expect, test } from 'vitest';
import { bareUrl, isLoopbackName, signInUrlProblem } from './url';

test.each([
  'https://a.example/authorize?x=1',
  'HTTPS://a.example/',
  'http://127.0.0.1:8080/authorize',
  'http://localhost/a',
  'http://[::1]:1/',
])('%s may be opened', (url) => {
  expect(signInUrlProblem(url)).toBeUndefined();
});

test.each([
  ['javascript:alert(1)', 'not an http'],
  ['java\tscript:alert(1)', 'not an http'],
  [' https://a.example/', 'not an http'],
  ['https://a.example/\u202egpj', 'not an http'],
  ['https:a.example', 'not an http'],
  ['https://', 'not an http'],
  ['http://a.example/', 'not encrypted'],
  ['http://127.0.0.1.a.example/', 'not encrypted'],
  ['https://me@a.example/', 'contains a user name'],
])('%j may not be opened: %s', (url, why) => {
  expect(signInUrlProblem(url)).toContain(why);
});

test.each<[string, boolean]>([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['[::1]', true],
  ['app.localhost', true],
  ['localhost.a.example', false],
  ['127.0.0.1.a.example', false],
  ['[::ffff:7f00:1]', false],
  ['10.0.0.1', false],
])('%s is this machine: %s', (name, expected) => {
  expect(isLoopbackName(name)).toBe(expected);
});

test.each([
  ['localhost:3911/mcp', 'http://localhost:3911/mcp'],
  ['localhost/mcp', 'http://localhost/mcp'],
  ['localhost', 'http://localhost'],
  ['LOCALHOST:80', 'http://LOCALHOST:80'],
  ['app.localhost:3000', 'http://app.localhost:3000'],
  ['127.0.0.1:3911', 'http://127.0.0.1:3911'],
  ['127.1.2.3/mcp?x=1', 'http://127.1.2.3/mcp?x=1'],
  ['0.0.0.0:8000/mcp', 'http://0.0.0.0:8000/mcp'],
  ['[::1]:3911/mcp', 'http://[::1]:3911/mcp'],
])('%s is on this machine', (word, url) => {
  expect(bareUrl(word)).toEqual({ url, local: true });
});

test.each([
  ['example.com/mcp', 'https://example.com/mcp'],
  ['example.com:8443', 'https://example.com:8443'],
  ['mcp.example.co.uk/a/b?c=d', 'https://mcp.example.co.uk/a/b?c=d'],
  ['10.0.0.5:3000/mcp', 'http://10.0.0.5:3000/mcp'],
  ['[fe80::1]:3000', 'http://[fe80::1]:3000'],
  ['backend:8080/mcp', 'http://backend:8080/mcp'],
  ['localhost.example.com/mcp', 'https://localhost.example.com/mcp'],
])('%s is somewhere else', (word, url) => {
  expect(bareUrl(word)).toEqual({ url, local: false });
});

test.each([
  'node',
  'server.py',
  'example.com',
  './example.com/mcp',
  '/usr/bin/node',
  '../a.b/c',
  '~/a.b/c',
  'C:\\a',
  'C:/a',
  'dist/server.js',
  '@scope/pkg',
  'mcp/server:1.2',
  'a:b',
  'localhost:99999',
  'localhost:1 x',
  '',
  'localhost:',
  'user@example.com/x',
  'npm:3x',
  'localhost\\x',
  '999.0.0.1:3',
])('%j is not a URL', (word) => {
  expect(bareUrl(word)).toBeUndefined();
});
