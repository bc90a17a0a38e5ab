import { describe, expect, test } from 'vitest';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { readCsv } from './csv';

const rows = (text: string) => readCsv(text, 100).rows;

describe('readCsv', () => {
  test.each([
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\r\n1;"x;y"\r\n',
      [
        ['a', 'b'],
        ['1', 'x;y'],
      ],
    ],
    [
      'a\tb\n1\t',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      'a,b\n"two\nlines","say ""hi"""',
      [
        ['a', 'b'],
        ['two\nlines', 'say "hi"'],
      ],
    ],
    [
      'a,b\n\n,\n',
      [
        ['a', 'b'],
        ['', ''],
      ],
    ],
    ['a\n"x" y\n', [['a'], ['x y']]],
    ['a,b\n"open,\n1,2', [['a', 'b'], ['open,\n1,2']]],
    ['"', [['']].filter(([value]) => value !== '')],
    ['', []],
  ])('%j', (text, expected) => {
    expect(rows(text)).toEqual(expected);
  });

  test('reads no more rows than are wanted', () => {
    const { rows: found, more } = readCsv('a\n'.repeat(1_000_000), 10);
    expect([found.length, more]).toEqual([10, true]);
    expect(readCsv('a\nb\n', 2)).toEqual({ rows: [['a'], ['b']], more: false });
  });

  test('attack: reads text that is all quotes or separators in one pass', () => {
    const before = cpuMs();
    for (const text of ['"'.repeat(1_000_001), '""'.repeat(500_000), ','.repeat(1_000_000), '"a'.repeat(500_000)]) {
      readCsv(text, 100);
    }
    expect(cpuMs() - before).toBeLessThan(5000);
  });
});
