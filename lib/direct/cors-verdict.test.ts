import { describe, expect, test } from 'vitest';
import { type CorsFacts, corsVerdict } from './cors-verdict';

const facts: CorsFacts = {
  method: 'POST',
  url: 'http://127.0.0.1:3001/mcp',
  origin: 'http://127.0.0.1:6274',
  mixed: false,
  localDenied: false,
  reachable: true,
  readable: true,
  refused: [],
};

describe('the verdict', () => {
  test.each<[string, Partial<CorsFacts>, string]>([
    ['mixed-content', { mixed: true, reachable: false, readable: false }, 'plain http'],
    ['local-network-denied', { localDenied: true, reachable: false, readable: false }, 'local network'],
    ['unreachable', { reachable: false, readable: false }, 'does not answer'],
    ['cors-origin', { readable: false }, 'Access-Control-Allow-Origin'],
    ['cors-origin', { readable: false, refused: ['authorization'] }, 'http://127.0.0.1:6274'],
    ['cors-headers', { refused: ['authorization', 'mcp-session-id'] }, 'send authorization, mcp-session-id:'],
    ['cors-headers', { refused: ['mcp-method', 'x-team'] }, 'Access-Control-Allow-Headers'],
    ['cors-modern', { refused: ['mcp-method', 'mcp-protocol-version'] }, 'mcp-method, mcp-protocol-version'],
    ['cors-methods', { method: 'DELETE' }, 'Access-Control-Allow-Methods'],
    ['cors-answer', {}, 'POST could not be read'],
    // Nobody can read it, but that is not said by a server that forbids every other use of its answers (CORP).
    ['cors-answer', { reachable: false }, 'Access-Control-Allow-Origin'],
  ])('%s for %j', (code, given, words) => {
    const verdict = corsVerdict({ ...facts, ...given });
    expect(verdict.code).toBe(code);
    expect(verdict.message).toContain(words);
    expect([verdict.message, verdict.advice].every((text) => /^[A-Z“h].*\.$/.test(text))).toBe(true);
  });
});
