import { expect, test } from 'vitest';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { severityOf } from './severity';

test.each([
  [{ event: 'exit', code: 0, signal: null }, false, undefined],
  [{ event: 'exit', code: 5, signal: null }, false, 'error'],
  [{ event: 'exit', code: null, signal: 'SIGSEGV' }, false, 'error'],
  [{ event: 'exit', code: null, signal: 'SIGTERM' }, true, 'warn'],
  [{ event: 'failed', code: 'x', message: '', advice: '' }, true, 'error'],
  [{ event: 'timeout', id: 1, method: 'ping', afterMs: 5 }, false, 'warn'],
  [{ event: 'closed' }, false, undefined],
  [{ event: 'start', transport: 'auto', url: 'https://h/', tls: { insecure: true } }, false, 'warn'],
  [{ event: 'start', transport: 'auto', url: 'http://h/', tls: { insecure: true } }, false, undefined],
  [{ event: 'start', transport: 'auto', url: 'https://h/', tls: { ca: ['a'] } }, false, undefined],
  [{ event: 'constructor' }, false, undefined],
] as unknown as [LifecycleEvent, boolean, string | undefined][])('%j', (event, ending, severity) =>
  expect(severityOf(event, ending)).toBe(severity),
);
