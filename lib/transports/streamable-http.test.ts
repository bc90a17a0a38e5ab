import { expect, test } from 'vitest';
import { hiddenSession } from './streamable-http';

const says = (message: string) => ({ code: -32000, message });

test.each([
  [400, 'notifications/initialized', undefined, true],
  [404, 'notifications/initialized', undefined, true],
  [400, 'tools/list', says('Bad Request: Mcp-Session-Id header is required'), true],
  [400, 'tools/list', says('No valid session ID provided'), true],
  [400, 'tools/list', says('Parse error'), false],
  [400, 'tools/list', undefined, false],
  [401, 'notifications/initialized', says('no session'), false],
])('HTTP %i to %s with %j: the session id is hidden: %s', (status, method, error, hidden) => {
  expect(hiddenSession(status, method, error)?.code === 'session-hidden').toBe(hidden);
});
