import { expect, test } from 'vitest';
import { requiredCorsHeaders } from './cors';

test('names everything that a page needs, each header once', () => {
  expect(requiredCorsHeaders('http://127.0.0.1:6274', ['Authorization', 'MCP-Protocol-Version'])).toBe(
    [
      'Access-Control-Allow-Origin: http://127.0.0.1:6274',
      'Access-Control-Allow-Methods: GET, POST, DELETE',
      'Access-Control-Allow-Headers: content-type, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id, authorization',
      'Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate',
    ].join('\n'),
  );
});
