import { expect, test } from 'vitest';
import { actionLabel, actionTarget } from './connection-doctor';

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

test('another path names the earlier connection as its base', () => {
  const action = { kind: 'use-url', url: 'https://h/sse', transport: 'sse' } as const;
  expect(actionTarget(action, 'c1', start)).toEqual({ transport: 'sse', base: 'c1', url: 'https://h/sse' });
  expect(actionLabel(action, start.url)).toBe('Use /sse instead');
});

test('keeps the OAuth client at the same origin only', () => {
  const known = { ...start, client: { clientId: 'me' } };
  const use = (url: string) => actionTarget({ kind: 'use-url', url, transport: 'auto' }, 'c1', known);
  expect(use('https://h/mcp')).toMatchObject({ client: { clientId: 'me' } });
  expect(use('https://evil/mcp')).not.toHaveProperty('client');
  expect(actionTarget({ kind: 'skip-verification' }, 'c1', known)).toMatchObject({ client: { clientId: 'me' } });
});

test('adds `insecure` to the other TLS settings', () => {
  const action = { kind: 'skip-verification' } as const;
  expect(actionTarget(action, 'c1', start)).toMatchObject({ url: start.url, tls: { ca: ['/ca.pem'], insecure: true } });
  expect(actionLabel(action, start.url)).toBe('Connect without verifying');
});

test('the label names another origin or transport', () => {
  const use = (url: string, transport: 'auto' | 'sse') =>
    actionLabel({ kind: 'use-url', url, transport }, 'http://h/mcp');
  expect(use('https://h/mcp', 'auto')).toBe('Use https://h/mcp instead');
  expect(use('http://h/mcp', 'sse')).toBe('Use HTTP+SSE instead');
});
