import { describe, expect, test } from 'vitest';
import { SHAPE_EXAMPLES } from '@/lib/redact/test-shape-examples';
import type { StdioTarget, UrlTarget } from '@/lib/wire/command';
import { maskedTarget } from './masked-target';

const stdio = (...args: readonly string[]): StdioTarget => ({ transport: 'stdio', command: 'node', args });
const url = (text: string): UrlTarget => ({ transport: 'auto', url: text });

describe('a masked target', () => {
  test.each([
    [
      ['s.js', '--api-key', 'correct-horse-9'],
      ['s.js', '--api-key', '${input:api-key}'],
    ],
    [
      ['s.js', '--api-key=correct-horse-9'],
      ['s.js', '--api-key=${input:api-key}'],
    ],
    [
      ['run', '-e', 'DB_PASSWORD=correct-horse-9'],
      ['run', '-e', 'DB_PASSWORD=${input:DB_PASSWORD}'],
    ],
    [
      ['-H', 'X-Auth: correct-horse-9'],
      ['-H', 'X-Auth: ${input:X-Auth}'],
    ],
    [
      ['--header', 'Authorization: Bearer abcdef0123456789'],
      ['--header', 'Authorization: ${input:Authorization}'],
    ],
    [['postgres://me:correct-horse-9@h/db'], ['postgres://${input:password}@h/db']],
    [
      ['--token', 'a1b2c3d4e5f6', '--token', 'f6e5d4c3b2a1'],
      ['--token', '${input:token}', '--token', '${input:token-2}'],
    ],
    [
      ['é "q"', '--password', 'p"w/1\\2é!'],
      ['é "q"', '--password', '${input:password}'],
    ],
  ])('%j', (args, masked) => {
    expect(maskedTarget(stdio(...args)).args).toEqual(masked);
  });

  test.each([
    ['https://h/mcp?api_key=abc&team=x', 'https://h/mcp?api_key=${input:api_key}&team=x'],
    ['https://me:sesame@h/mcp', 'https://${input:password}@h/mcp'],
  ])('%s', (text, masked) => {
    expect(maskedTarget(url(text)).url).toBe(masked);
  });

  test('is the same object if it has no secrets', () => {
    for (const target of [
      stdio('server.js', '--port', '8080', '--token', '${input:token}', '--key=${API_KEY}', '-y', '@scope/name@1.2.3'),
      url('https://h/mcp/${input:id}?api_key=${KEY}&page=2'),
      url('http://localhost:3000/mcp'),
    ]) {
      expect(maskedTarget(target)).toBe(target);
    }
  });

  test('avoids names that are taken', () => {
    expect(maskedTarget(stdio('--token', 'a1b2c3d4e5f6'), ['token']).args[1]).toBe('${input:token-2}');
  });

  test('has no secret of a known shape', () => {
    const secrets = SHAPE_EXAMPLES.map((example) => example.join(''));
    const inArgs = secrets.filter((secret) => maskedTarget(stdio('s.js', secret)).args[1] === secret);
    const inUrls = secrets.filter((secret) => {
      const masked = maskedTarget(url(`https://h/mcp?a=${encodeURIComponent(secret)}`));
      return decodeURIComponent(masked.url).endsWith(secret);
    });
    expect({ inArgs, inUrls }).toEqual({ inArgs: [], inUrls: [] });
  });
});
