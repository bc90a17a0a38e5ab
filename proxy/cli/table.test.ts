import { describe, expect, test } from 'vitest';
import { fitText, table, textWidth } from './table';

test('aligns columns by their width on a terminal, and cuts nothing without one', () => {
  const rows = [
    ['a', 'x'.repeat(200), 'end'],
    ['灯台', '', 'e\u0301nd'],
  ];
  expect(table(['NAME', 'ABOUT', ''], rows).split('\n')).toEqual([
    `NAME  ABOUT`,
    `a     ${'x'.repeat(200)}  end`,
    `灯台  ${' '.repeat(200)}  e\u0301nd`,
  ]);
});

test('keeps cells on their line, without control characters', () => {
  expect(table(['A', 'B'], [['x\r\n y\t z', '\u001b[31mred\u009b\u202e']])).toBe(
    'A      B\nx y z  \uFFFD[31mred\uFFFD\uFFFD',
  );
});

test('cuts the widest column first, until every line fits', () => {
  const rows = [['tool', 'a '.repeat(40), 'word '.repeat(1000)]];
  for (const width of [200, 80, 40, 24]) {
    const lines = table(['N', 'ARGUMENTS', 'ABOUT'], rows, width).split('\n');
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
    expect(lines[1]).toMatch(/^tool /);
    expect(lines[1]).toContain('…');
  }
  expect(table(['N'], [['abc']], 80)).toBe('N\nabc');
});

describe('widths', () => {
  test.each<[string, number]>([
    ['abc', 3],
    ['日本', 4],
    ['🌍', 2],
    ['e\u0301', 1],
    ['', 0],
  ])('%s', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  test.each<[string, number, string]>([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['x'.repeat(10_000_000), 4, 'xxx…'],
    [`a${'\u0301'.repeat(100)}`, 4, `a${'\u0301'.repeat(19)}…`],
  ])('fits, row %#', (text, most, cut) => {
    expect(fitText(text, most)).toBe(cut);
  });
});
