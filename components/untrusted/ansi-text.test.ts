import { describe, expect, test } from 'vitest';
import { withoutAnsi } from '@/lib/wire/control-characters';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { ansiSpans } from './ansi-text';

describe('ansiSpans', () => {
  test('reads colours and weights', () => {
    expect(ansiSpans('a\u001b[31mred\u001b[1;92mbold\u001b[0mz')).toEqual([
      { text: 'a', color: undefined, bold: false, dim: false },
      { text: 'red', color: 'red', bold: false, dim: false },
      { text: 'bold', color: 'green', bold: true, dim: false },
      { text: 'z', color: undefined, bold: false, dim: false },
    ]);
  });

  test('skips the arguments of palette colours', () => {
    expect(ansiSpans('\u001b[38;5;31mx')[0]).toMatchObject({ text: 'x', color: undefined });
    expect(ansiSpans('\u001b[38;2;31;1;2;1mx')[0]).toMatchObject({ color: undefined, bold: true });
  });
});

describe('withoutAnsi', () => {
  test.each([
    ['\u001b[2J\u001b[Hx', 'x'],
    ['\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001b]52;c;aGk=\u0007x', 'x'],
    ['\u009b31mx\u009d0;title\u009cy', 'xy'],
    ['\u001bPq#0\u001b\\x', 'x'],
    ['\u001bcx', 'x'],
    ['x\u001b', 'x'],
    ['x\u001b[', 'x'],
    ['\u001b]0;never ends\nnext line', '\nnext line'],
    ['no escapes', 'no escapes'],
  ])('%j is %j', (text, expected) => {
    expect(withoutAnsi(text)).toBe(expected);
    expect(
      ansiSpans(text)
        .map((span) => span.text)
        .join(''),
    ).toBe(expected);
  });

  test.each([
    ['semicolons', `\u001b[${';'.repeat(1_000_000)}`],
    ['openings', '\u001b]'.repeat(500_000)],
    ['parameters', '\u001b[31'.repeat(300_000)],
    ['intermediates', `\u001b${' '.repeat(1_000_000)}`],
  ])('a megabyte of %s takes linear time', (_name, text) => {
    const started = cpuMs();
    ansiSpans(text);
    expect(cpuMs() - started).toBeLessThan(3_000);
  });
});
