import { expect, test } from 'vitest';
import { mayReveal, mayRevealUrl } from './http-tap';

const given = { url: 'https://h/mcp?key=mine', headers: [['Authorization', 'Bearer mine']] as const };

test.each<[string, string, boolean]>([
  ['authorization', 'Bearer mine', true],
  ['Authorization', 'Bearer obtained by OAuth', false],
  ['Cookie', 'a=1', false],
  ['Set-Cookie', 'a=1', true],
  ['MCP-SESSION-ID', 'x', true],
  ['X-Api-Key', 'of the server', false],
])('may reveal %s: %s – %s', (name, value, may) => expect(mayReveal(name, value, given)).toBe(may));

test.each<[string, boolean]>([
  ['https://h/mcp?key=mine', true],
  ['https://h/mcp?key=other', false],
  ['https://h/message?sessionId=1', true],
  ['https://h/message?a=1&session_id=1', true],
  ['https://h/message?sessionId=1&token=2', false],
  ['https://user:pw@h/message?sessionId=1', false],
])('may reveal %s: %s', (url, may) => expect(mayRevealUrl(url, given)).toBe(may));
