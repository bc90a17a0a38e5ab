import { describe, expect, test } from 'vitest';
import { answered, asked, complained, type FrameSeed, got, logOf } from '@/lib/store/test-frames';
import { FilterHits } from './hits';
import { parseFilter } from './parse';

function hitsOf(text: string, ...seeds: readonly FrameSeed[]) {
  const parsed = parseFilter(text);
  return new FilterHits(parsed.ok ? parsed.filter : undefined, logOf(...seeds));
}

const marked = (parts: readonly { text: string; isHit: boolean }[]) =>
  parts.map(({ text, isHit }) => (isHit ? `[${text}]` : text)).join('');

test.each([
  ['', 'tools/call echo', 'tools/call echo'],
  ['ECHO', 'tools/call echo', 'tools/call [echo]'],
  ['tool:get-*', 'get-env', '[get-]env'],
  ['tool:"a*b"', 'a*b', '[a*b]'],
  ['method:*/call ech', 'tools/call echo', 'tools[/call] [ech]o'],
  ['-echo not tools', 'tools/call echo', 'tools/call echo'],
  ['call or (echo tools)', 'tools/call echo', '[tools]/[call] [echo]'],
  ['a.b', 'a.b axb', '[a.b] axb'],
  ['İ', 'İx', '[İ]x'],
  ['kind:request /e.ho/', 'echo request', 'echo request'],
])('%j marks %j as %j in a label', (filter, text, result) => {
  expect(marked(hitsOf(filter).inLabel(text))).toBe(result);
});

test('only words are marked in the content of a row, not values of keys', () => {
  expect(marked(hitsOf('tool:echo hi').inContent('echo hi'))).toBe('echo [hi]');
});

describe('the content of a row', () => {
  const call = asked(1, 'tools/call', { name: 'echo', arguments: { a: 1, b: 'word' } });
  const long = (text: string) => answered(1, { content: [{ type: 'text', text: `${'x'.repeat(10_000)} ${text}` }] });

  test('is the preview without words, or if it has a hit', () => {
    expect(hitsOf('tool:echo', call).contentOf(0)).toBe('{a: 1, b: "word"}');
    expect(hitsOf('word', call).contentOf(0)).toBe('{a: 1, b: "word"}');
    expect(hitsOf('echo', call).contentOf(0)).toBe('{a: 1, b: "word"}');
  });

  test('is the whole preview around a hit that is far to the right', () => {
    const late = asked(1, 'tools/call', { name: 'echo', arguments: { a: 'x'.repeat(60), b: 'word' } });
    expect(hitsOf('word', late).contentOf(0)).toMatch(/^\{a: "x+", b: "word"\}$/);
  });

  test('is the text around a hit that the preview does not show', () => {
    expect(hitsOf('needle', call, long('a needle here')).contentOf(1)).toBe(`…${'x'.repeat(147)} a needle here"}]}}`);
    expect(hitsOf('NÄHE', call, long('in der Nähe')).contentOf(1)).toMatch(/^…x+ in der Nähe"\}\]\}\}$/);
    const { length } = hitsOf('needle', call, long(`needle ${'ä'.repeat(5000)}`)).contentOf(1)!;
    expect(length).toBeLessThan(500);
  });

  test('shows the hit in a long line of stderr, which has no preview', () => {
    const line = complained(`${'x'.repeat(500)} needle`);
    expect(hitsOf('needle', line).contentOf(0)).toMatch(/^…x+ needle$/);
    expect(hitsOf('xxx', line).contentOf(0)).toBeUndefined();
  });

  test('keeps the preview if the hit is in the status only', () => {
    expect(hitsOf('ok', asked(1, 'ping'), got({ jsonrpc: '2.0', id: 1, result: {} })).contentOf(1)).toBe('');
  });
});

test('a very long word is found, but not marked', () => {
  const word = 'a'.repeat(60_000);
  const hits = hitsOf(`${word} or echo`, asked(1, 'tools/call', { name: 'echo' }));
  expect(marked(hits.inLabel('tools/call echo'))).toBe('tools/call [echo]');
  expect(hits.contentOf(0)).toBeDefined();
});
