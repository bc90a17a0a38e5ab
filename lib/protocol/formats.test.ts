import { expect, test } from 'vitest';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { type Format, TEXT_FORMATS } from './formats';

const VALID: Readonly<Record<Format, readonly string[]>> = {
  uri: [
    'file:///',
    'file:///a%20b/c.md',
    'x:',
    'urn:isbn:0451450523',
    'ui://clock/app.html',
    'a+b-c.d:e',
    'http://[::1]:8080/a?b=c#d',
    'http://u:p@h.example:80/',
    'http://[v1.fe:d]/',
    'https://',
    'data:image/png;base64,AAAA+/==',
    'mailto:a@b.example',
    'tel:+1-816',
    "x:!$&'()*+,;=:@/?",
    'C:/a/b',
  ],
  'uri-template': [
    'file:///{path}',
    '{+base}/{a,b:3}{?q*,r}',
    'x://{a.b}/{%41}',
    'x:/~user/it’s/ünï',
    '{#a}',
    '',
    'plain',
    'test://dynamic/{resourceId}',
    '{=future}',
    "x:it's",
  ],
  'mime-type': ['text/plain', 'text/html;profile=mcp-app', 'image/svg+xml', 'text/plain ; charset=utf-8', 'image/*'],
  timestamp: [
    '2025-01-12T15:00:58Z',
    '2025-01-12T15:00:58.123456+00:00',
    '2025-01-12',
    '2025-01-12 15:00',
    '2025',
    '20250112T150058Z',
    '2025-W02-7',
    '2025-012',
    '2025-01-12T15:00:58,5-0800',
    '2016-12-31T23:59:60Z',
  ],
  'file-uri': ['file:///', 'FILE:///a', 'file://host/share'],
  url: ['https://a.example/b?c', 'http://localhost:3000', 'mailto:a@b.example'],
  'safe-url': ['https://a.example', 'http://localhost:1/a', 'http://127.0.0.1/', 'http://[::1]:2/', 'no URL'],
  'icon-uri': ['https://a.example/i.png', 'data:image/png;base64,AA=='],
  'icon-data': ['https://a.example', 'data:image/svg+xml;base64,AA==', 'DATA:image/png;BASE64,'],
  'icon-size': ['48x48', '1024x768', 'any'],
  'media-type': ['image/png', 'audio/wav;codecs=1'],
  'image-type': ['image/png', 'image/svg+xml', 'png'],
  'audio-type': ['audio/wav', 'wav'],
  'task-time': ['2025-11-25T10:30:00Z', '2025-11-25T10:30:00.123+01:00'],
  'version-date': ['2024-11-05', '2026-07-28', '2099-12-31'],
  'reserved-key': [
    'a',
    'mcp',
    'com.example.mcp/a',
    'example/mcp',
    'mcp.dev/a',
    'io.modelcontextprotocol/related-task',
    'io.modelcontextprotocol/model-immediate-response',
    'io.mcpx/a',
  ],
  'reserved-key-2025-06': ['a', 'mcp/a', 'com.example.mcp/a', 'io.modelcontextprotocol/a', 'com.example/mcp'],
  'extension-name': ['io.modelcontextprotocol/ui', 'com.example/a.b-c'],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'],
  tracestate: ['', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'a@b=1 ,, c= 2'],
  baggage: ['a=1', 'userId=alice%20b , x=;p;q=1'],
  'meta-key': ['a', 'com.example/a', 'io.modelcontextprotocol/related-task', 'x-1.y/', 'ui', 'a_b.c-d', '', 'v/1'],
};

const RESERVED = 'has a prefix reserved for MCP, and no version defines it';

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
  timestamp: ['', 'yesterday', '12/01/2025', '1736694058', '2025-01-12T15:00:58 GMT', 'Sun, 12 Jan 2025']
    .concat('2025-13-01', '2025-02-32T10:00:00Z', '2025-01-12T25:00:00Z', '2025-01-12T15:60:00Z')
    .map((text) => [text, 'is not an ISO 8601 timestamp']),
  'task-time': [
    ['1736694058', 'is not an ISO 8601 timestamp'],
    ['2025-02-30T10:00:00Z', 'is a day that does not exist'],
    ['20250229', 'is a day that does not exist'],
  ],
  'file-uri': ['https://a.example', 'file:a', '/tmp'].map((text) => [text, 'does not start with file://']),
  url: [
    ['a.example/b', 'has no scheme'],
    ['https://', 'is not a valid URL'],
    ['https://a b', 'contains " ", which must be percent-encoded'],
  ],
  'safe-url': [
    ['http://a.example', 'has the scheme http:'],
    ['javascript:alert(1)', 'has the scheme javascript:'],
    ['http://127.0.0.1.a.example/', 'has the scheme http:'],
  ],
  'icon-uri': ['http://a.example', 'javascript:alert(1)', 'icon.png'].map((text) => [
    text,
    'is not an https: or data: URL',
  ]),
  'icon-data': [
    ['data:image/png;base64', 'has no comma before its data'],
    ['data:,', 'is not the data of an image'],
    ['data:text/html;base64,AA==', 'is not the data of an image'],
    ['data:image/svg+xml,<svg/>', 'is not base64'],
  ],
  'icon-size': ['', '48', '48X', '0x48', '48*48', '48x48 96x96'].map((text) => [
    text,
    'is neither "any" nor a size such as 48x48',
  ]),
  'media-type': [['png', 'does not have the form type/subtype']],
  'image-type': [['text/plain', 'is not the type of an image']],
  'audio-type': [['image/png', 'is not the type of audio']],
  'version-date': ['', '1.0', 'latest', '2026-7-28', '2026-13-01', '2026-07-28-draft'].map((text) => [
    text,
    'is not a date such as 2026-07-28',
  ]),
  'reserved-key': ['io.modelcontextprotocol/mine', 'dev.mcp/a', 'com.mcp.tools/'].map((key) => [key, RESERVED]),
  'reserved-key-2025-06': ['modelcontextprotocol.io/a', 'mcp.dev/a', 'tools.mcp.com/a'].map((key) => [key, RESERVED]),
  'extension-name': [
    ['ui', 'has no prefix'],
    ['1a/ui', 'has an invalid prefix'],
  ],
  traceparent: ['', '00-0-0-01', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'].map((text) => [
    text,
    'is not 00-(32 hex digits)-(16 hex digits)-(2 hex digits)',
  ]),
  tracestate: [
    ['a', 'has the invalid member "a"'],
    ['A=1', 'has the invalid member "A=1"'],
    ['a=1,a=2', 'has the key a twice'],
    [Array.from({ length: 33 }, (_, at) => `k${at}=v`).join(), 'has more than 32 members'],
  ],
  baggage: [
    ['', 'has the invalid member ""'],
    ['a', 'has the invalid member "a"'],
    ['a=ü', 'has the invalid member "a=ü"'],
  ],
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
  expect(TEXT_FORMATS[format](text)).toBeUndefined();
});

test.each(cases(INVALID))('%s: %j is invalid', (format, [text, fault]) => {
  expect(TEXT_FORMATS[format](text)).toBe(fault);
});

test.each(Object.keys(TEXT_FORMATS) as Format[])('%s: a long text takes little time and no stack', (format) => {
  const parts = ['a', 'a.', 'a-', 'x:', '{', '{a,', '}', '%', '%4', '/', '[', '@', ':', ' ', '2025-', 'a/'];
  const began = cpuMs();
  for (const part of parts) for (const end of ['', '!', '}', '/']) TEXT_FORMATS[format](part.repeat(300_000) + end);
  for (const part of parts) TEXT_FORMATS[format](`http://${part.repeat(300_000)}`);
  expect(cpuMs() - began).toBeLessThan(10_000);
});
