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

test('another path keeps what the connection had, by naming it as the base', () => {
  const action = { kind: 'use-url', url: 'https://h/sse', transport: 'sse' } as const;
  expect(actionTarget(action, 'c1', start)).toEqual({ transport: 'sse', base: 'c1', url: 'https://h/sse' });
  expect(actionLabel(action, start.url)).toBe('Use /sse instead');
});

test('who we are to its authorization server stays, at the same origin', () => {
  const known = { ...start, client: { clientId: 'me' } };
  const use = (url: string) => actionTarget({ kind: 'use-url', url, transport: 'auto' }, 'c1', known);
  expect(use('https://h/mcp')).toMatchObject({ client: { clientId: 'me' } });
  expect(use('https://evil/mcp')).not.toHaveProperty('client');
  expect(actionTarget({ kind: 'skip-verification' }, 'c1', known)).toMatchObject({ client: { clientId: 'me' } });
});

test('not verifying is added to the rest of TLS', () => {
  const action = { kind: 'skip-verification' } as const;
  expect(actionTarget(action, 'c1', start)).toMatchObject({ url: start.url, tls: { ca: ['/ca.pem'], insecure: true } });
  expect(actionLabel(action, start.url)).toBe('Connect without verifying');
});

test('another origin, and another transport, are named', () => {
  const use = (url: string, transport: 'auto' | 'sse') =>
    actionLabel({ kind: 'use-url', url, transport }, 'http://h/mcp');
  expect(use('https://h/mcp', 'auto')).toBe('Use https://h/mcp instead');
  expect(use('http://h/mcp', 'sse')).toBe('Use HTTP+SSE instead');
});
