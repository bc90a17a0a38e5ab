import { expect, test } from 'vitest';
import { actionTarget, actionWords } from './action-target';

const start = {
  event: 'start',
  at: '',
  name: 'x',
  transport: 'auto',
  url: 'https://h/wrong?key=•••',
  headerNames: ['Authorization'],
  tls: { ca: ['/ca.pem'] },
  protocol: 'auto',
} as const;

test('another path keeps what the connection had, by naming it as the base', () => {
  const action = { kind: 'use-url', url: 'https://h/sse', transport: 'sse' } as const;
  expect(actionTarget(action, 'c1', start)).toEqual({ transport: 'sse', base: 'c1', url: 'https://h/sse' });
  expect(actionWords(action, start.url)).toBe('Use /sse instead');
});

test('not verifying is added to the rest of TLS', () => {
  const action = { kind: 'skip-verification' } as const;
  expect(actionTarget(action, 'c1', start)).toMatchObject({ url: start.url, tls: { ca: ['/ca.pem'], insecure: true } });
  expect(actionWords(action, start.url)).toBe('Connect without verifying');
});

test('another origin, and another transport, are named', () => {
  const use = (url: string, transport: 'auto' | 'sse') =>
    actionWords({ kind: 'use-url', url, transport }, 'http://h/mcp');
  expect(use('https://h/mcp', 'auto')).toBe('Use https://h/mcp instead');
  expect(use('http://h/mcp', 'sse')).toBe('Use HTTP+SSE instead');
});
