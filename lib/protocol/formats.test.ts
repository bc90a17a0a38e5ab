import { expect, test } from 'vitest';
import { FORMATS, type Format } from './formats';

const VALID: Readonly<Record<Format, readonly string[]>> = {
  uri: [
    ...['file:///', 'file:///a%20b/c.md', 'x:', 'urn:isbn:0451450523', 'ui://clock/app.html', 'a+b-c.d:e'],
    ...['http://[::1]:8080/a?b=c#d', 'http://u:p@h.example:80/', 'http://[v1.fe:d]/', 'https://'],
    ...['data:image/png;base64,AAAA+/==', 'mailto:a@b.example', 'tel:+1-816', "x:!$&'()*+,;=:@/?", 'C:/a/b'],
  ],
  'uri-template': [
    ...['file:///{path}', '{+base}/{a,b:3}{?q*,r}', 'x://{a.b}/{%41}', 'x:/~user/it’s/ünï', '{#a}', '', 'plain'],
    ...['test://dynamic/{resourceId}', '{=future}', "x:it's"],
  ],
  'mime-type': ['text/plain', 'text/html;profile=mcp-app', 'image/svg+xml', 'text/plain ; charset=utf-8', 'image/*'],
  timestamp: [
    ...['2025-01-12T15:00:58Z', '2025-01-12T15:00:58.123456+00:00', '2025-01-12', '2025-01-12 15:00', '2025'],
    ...['20250112T150058Z', '2025-W02-7', '2025-012', '2025-01-12T15:00:58,5-0800'],
  ],
  'meta-key': ['a', 'com.example/a', 'io.modelcontextprotocol/related-task', 'x-1.y/', 'ui', 'a_b.c-d', '', 'v/1'],
};

const INVALID: Readonly<Record<Format, readonly (readonly [text: string, fault: string])[]>> = {
  uri: [
    ['', 'has no scheme'],
    ['/a/b', 'has no scheme'],
    ['docs/a.md', 'has no scheme'],
    ['1a:b', 'has no scheme'],
    ['file:///a b', 'contains " ", which must be percent-encoded'],
    ['file:///grüße', 'contains "ü", which must be percent-encoded'],
    ['x:/😀', 'contains "😀", which must be percent-encoded'],
    ['C:\\a', 'contains "\\\\", which must be percent-encoded'],
    ['test://{id}', 'contains "{", which must be percent-encoded'],
    ['x:%4', 'has a % without two hexadecimal digits'],
    ['x:a#b#c', 'has more than one #'],
    ['http://a:port/', 'has an invalid host or port'],
    ['http://[::1/', 'has an invalid host or port'],
    ['x:a[0]', 'has a bracket outside its host'],
  ],
  'uri-template': [
    ['x://{', 'has a { without a }'],
    ['x://}', 'has a } without a {'],
    ['x://{}', 'has the invalid expression {}'],
    ['x://{user-id}', 'has the invalid expression {user-id}'],
    ['x://{a b}', 'has the invalid expression {a b}'],
    ['x://{a:0}', 'has the invalid expression {a:0}'],
    ['x://{{a}}', 'has the invalid expression {{a}'],
    ['x://a b/{c}', 'contains " ", which must be percent-encoded'],
    ['x://%zz', 'has a % without two hexadecimal digits'],
  ],
  'mime-type': ['', 'json', 'text/', '/plain', 'text plain', 'text/pl ain'].map((text) => [
    text,
    'does not have the form type/subtype',
  ]),
  timestamp: ['', 'yesterday', '12/01/2025', '1736694058', '2025-01-12T15:00:58 GMT', 'Sun, 12 Jan 2025'].map(
    (text) => [text, 'is not an ISO 8601 timestamp'],
  ),
  'meta-key': [
    ['_a', 'has an invalid name'],
    ['a-', 'has an invalid name'],
    ['a b', 'has an invalid name'],
    ['a/b/c', 'has an invalid name'],
    ['1a.b/c', 'has an invalid prefix'],
    ['a-.b/c', 'has an invalid prefix'],
    ['a..b/c', 'has an invalid prefix'],
    ['/c', 'has an invalid prefix'],
    ['http://a', 'has an invalid prefix'],
  ],
};

const cases = <T>(table: Readonly<Record<Format, readonly T[]>>) =>
  Object.entries(table).flatMap(([format, rows]) => rows.map((row) => [format as Format, row] as const));

test.each(cases(VALID))('%s: %j is valid', (format, text) => {
  expect(FORMATS[format](text)).toBeUndefined();
});

test.each(cases(INVALID))('%s: %j is invalid', (format, [text, fault]) => {
  expect(FORMATS[format](text)).toBe(fault);
});

test.each(Object.keys(FORMATS) as Format[])('%s: a long text takes little time and no stack', (format) => {
  const parts = ['a', 'a.', 'a-', 'x:', '{', '{a,', '}', '%', '%4', '/', '[', '@', ':', ' ', '2025-', 'a/'];
  const began = performance.now();
  for (const part of parts) for (const end of ['', '!', '}', '/']) FORMATS[format](part.repeat(300_000) + end);
  for (const part of parts) FORMATS[format](`http://${part.repeat(300_000)}`);
  expect(performance.now() - began).toBeLessThan(10_000);
});
