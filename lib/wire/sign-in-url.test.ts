import { expect, test } from 'vitest';
import { isLoopbackName, signInUrlProblem } from './sign-in-url';

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
  ['javascript:alert(1)', 'no http'],
  ['java\tscript:alert(1)', 'no http'],
  [' https://a.example/', 'no http'],
  ['https://a.example/\u202egpj', 'no http'],
  ['https:a.example', 'no http'],
  ['https://', 'no http'],
  ['http://a.example/', 'not encrypted'],
  ['http://127.0.0.1.a.example/', 'not encrypted'],
  ['https://me@a.example/', 'names a user'],
])('%j may not: %s', (url, why) => {
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
