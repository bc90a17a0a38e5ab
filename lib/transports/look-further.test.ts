import { expect, test } from 'vitest';
import { neighboursOf } from './look-further';

const of = (url: string) =>
  neighboursOf(url, 'paths').map((one) => `${one.method} ${one.url.slice('http://h'.length)}`);

test.each<[string, string[]]>([
  ['http://h/', ['POST /mcp', 'GET /sse', 'GET /']],
  ['http://h/mcp', ['GET /sse', 'GET /']],
  ['http://h/sse?x=1', ['POST /mcp', 'GET /sse', 'GET /']],
  [
    'http://h/api/v1',
    ['POST /api/v1/mcp', 'GET /api/v1/sse', 'POST /api/mcp', 'GET /api/sse', 'POST /mcp', 'GET /sse', 'GET /'],
  ],
  ['http://h/api/mcp/', ['GET /api/sse', 'POST /mcp', 'GET /sse', 'GET /']],
])('%s', (url, expected) => expect(of(url)).toEqual(expected));

test('all addresses have the server’s origin, even for a hostile path', () => {
  const questions = neighboursOf('https://user:pw@h:8443//evil.example/../x/', 'paths');
  expect(questions.map(({ url }) => new URL(url).origin)).toEqual(questions.map(() => 'https://h:8443'));
  expect(questions.every(({ sameOrigin, url }) => sameOrigin && !url.includes('pw@'))).toBe(true);
});

test.each([
  ['http://127.0.0.1:3000/mcp', ['http://[::1]:3000/mcp']],
  ['http://[::1]:3000/mcp', ['http://127.0.0.1:3000/mcp']],
  ['http://192.0.2.1/mcp', []],
])('returns the other loopback address of %s, without headers', (url, expected) => {
  const questions = neighboursOf(url, 'loopback');
  expect(questions.map((one) => one.url)).toEqual(expected);
  expect(questions.some(({ sameOrigin }) => sameOrigin)).toBe(false);
});
