import { describe, expect, test } from 'vitest';
import type { UrlTarget } from '@/lib/wire/command';
import { withValues } from './target-values';

const target = (url: string, headers?: UrlTarget['headers']): UrlTarget => ({
  transport: 'auto',
  url,
  ...(headers && { headers }),
});
const earlier = target('https://h/mcp?api_key=k1', { 'X-Key': 'sesame', 'X-Team': 'blue' });

describe('a target made from an earlier one', () => {
  test('has its header values, but for what it says itself', () => {
    const made = withValues(target('https://h/other', { 'x-team': 'red', 'X-Key': null }), earlier);
    expect(made).toEqual({ transport: 'auto', url: 'https://h/other', headers: { 'x-team': 'red' } });
  });

  test('has what its URL shows masked', () => {
    expect(withValues(target('https://h/mcp?api_key=•••'), earlier).url).toBe('https://h/mcp?api_key=k1');
    expect(withValues(target('https://h/mcp2?api_key=•••'), earlier).url).toBe('https://h/mcp2?api_key=•••');
  });

  test('of another origin has none of it', () => {
    for (const url of ['https://h:8443/mcp', 'http://h/mcp?api_key=•••', 'nonsense']) {
      expect(withValues(target(url), earlier)).toEqual({ transport: 'auto', url, headers: {} });
    }
  });

  test('without an earlier one is what it says', () => {
    expect(withValues(target('https://h/', { A: '1', B: null }), undefined).headers).toEqual({ A: '1' });
  });
});
