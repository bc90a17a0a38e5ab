import { expect, test } from 'vitest';
import { serverKey } from './server-key';

const environment = { inherited: [], given: [] } as never;
const stdio = {
  event: 'start',
  at: '',
  transport: 'stdio',
  name: 'files',
  command: 'node',
  cwd: '/',
  environment,
} as const;
const start = (...args: string[]) => serverKey({ ...stdio, args, protocol: 'auto' });

test('names the server and tells commands apart without showing their arguments', () => {
  const key = start('server.js', '--api-key', 'sk-secret');
  expect(key).toMatch(/^files [0-9a-f]{16}$/);
  expect(start('server.js', '--api-key', 'sk-secret')).toBe(key);
  expect(start('server.js', '--api-key', 'sk-other')).not.toBe(key);
});

test('is the same for a URL however its transport was chosen', () => {
  const at = (transport: 'auto' | 'http', url: string) =>
    serverKey({ event: 'start', at: '', name: 'x', transport, url, headerNames: [], protocol: 'auto' });
  expect(at('auto', 'http://127.0.0.1:1/mcp')).toBe(at('http', 'http://127.0.0.1:1/mcp'));
  expect(at('auto', 'http://127.0.0.1:1/mcp')).not.toBe(at('auto', 'http://127.0.0.1:2/mcp'));
});
