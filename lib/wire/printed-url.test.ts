import { expect, test } from 'vitest';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { printedUrl } from './printed-url';

test.each([
  ['Listening on http://localhost:3000/mcp', 'http://localhost:3000/mcp'],
  ['INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)', 'http://127.0.0.1:8000/'],
  ['Serving HTTP on 0.0.0.0 port 38231 (http://0.0.0.0:38231/) ...', 'http://127.0.0.1:38231/'],
  ['Serving HTTP on :: port 80 (http://[::]:8080/) ...', 'http://[::1]:8080/'],
  [
    '  \u001b[32m➜\u001b[39m  Local:   \u001b[36mhttp://localhost:\u001b[1m5173\u001b[22m/\u001b[39m',
    'http://localhost:5173/',
  ],
  ['see https://example.com, or http://localhost:3000.', 'http://localhost:3000/'],
  ['listening on 3000', 'http://localhost:3000/'],
  ['Server running on port 8080', 'http://localhost:8080/'],
  ['{"level":"info","msg":"listening","pid":4673,"host":"127.0.0.1","port":8080}', 'http://localhost:8080/'],
  ['MCP server started on port: 9000!', 'http://localhost:9000/'],
  ['Listening on 0.0.0.0:3000', 'http://127.0.0.1:3000/'],
  ['[info] server ready at localhost:8080', 'http://localhost:8080/'],
  ['Serving MCP at :4000', 'http://localhost:4000/'],
])('finds the address in %j', (line, url) => {
  expect(printedUrl(['starting', line])).toBe(url);
});

test('a URL beats a port above it, and the first URL beats others', () => {
  expect(printedUrl(['listening on 3000', 'see http://localhost:4000/mcp', 'http://localhost:1/'])).toBe(
    'http://localhost:4000/mcp',
  );
});

test('finds the URL of uvicorn, not the id of its process', () => {
  const lines = [
    'INFO:     Started server process [8123]',
    'INFO:     Waiting for application startup.',
    'INFO:     Application startup complete.',
    'INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)',
  ];
  expect(printedUrl(lines)).toBe('http://127.0.0.1:8000/');
  expect(printedUrl(lines.slice(0, 3))).toBeUndefined();
});

test.each([
  'https://example.com/mcp',
  'http://169.254.169.254/latest',
  'http://localhost.example.com:3000/',
  'http://user:password@localhost:3000/',
  'http://127.0.0.1.example.com/',
  'http://',
  'listening on 123456',
  'listening on 10.0.0.1',
  'running 1.2.3',
  'ready',
  'listening on https://example.com:3000',
  'Started server process [8123]',
  'Started reloader process [8123] using WatchFiles',
  'Server started, pid 8123',
  'running worker on 4242 tasks of process on 99',
  'ready in 350 ms',
  'Node.js 2025 is running',
  'connect ECONNREFUSED 127.0.0.1:5432',
])('finds none in %j', (line) => {
  expect(printedUrl([line])).toBeUndefined();
});

test('is fast on hostile lines', () => {
  const began = cpuMs();
  expect(
    printedUrl(['http://'.repeat(100_000), `listening ${'x'.repeat(1_000_000)}`, 'listening '.repeat(1e5)]),
  ).toBeUndefined();
  expect(cpuMs() - began).toBeLessThan(2000);
});
