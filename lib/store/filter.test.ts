import { describe, expect, test, vi } from 'vitest';
import { compileFilter } from './filter';
import { answered, asked, complained, got, logOf } from './test-frames';
import { VisibleRows } from './visible-rows';

const log = logOf(
  asked(1, 'tools/call', { name: 'Echo', arguments: { text: 'Hello world' } }),
  answered(1, { content: [] }),
  got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'echoed' } }),
  complained('warning: -x is deprecated'),
);

function found(text: string): number[] {
  const visible = new VisibleRows(log, compileFilter(text));
  return Array.from({ length: visible.update() }, (_, position) => visible.at(position) + 1);
}

describe('words', () => {
  test.each<[string, number[]]>([
    ['', [1, 2, 3, 4]],
    ['   ', [1, 2, 3, 4]],
    ['-', [1, 2, 3, 4]],
    ['echo', [1, 2, 3]],
    ['ECHO tools', [1, 2]],
    ['echo -tools/call', [3]],
    ['-echo', [4]],
    ['"hello world"', [1]],
    ['"hello world', [1]],
    ['world hello', [1]],
    ['-"hello world" echo', [2, 3]],
    ['response', [2]],
    ['(a+)+$', []],
    ['"-x"', [4]],
  ])('%j finds %j', (text, seqs) => {
    expect(found(text)).toEqual(seqs);
  });

  test('the text is not decoded where the row decides', () => {
    const textOf = vi.fn(() => '');
    const filter = compileFilter('tools/call')!;
    expect(filter(log.row(0), textOf)).toBe(true);
    expect(textOf).not.toHaveBeenCalled();
  });
});

describe('visible rows', () => {
  test('grow with the log, and each frame is looked at once', () => {
    const growing = logOf(got('a1'), got('b1'));
    const filter = vi.fn(compileFilter('a')!);
    const visible = new VisibleRows(growing, filter);
    expect(visible.update()).toBe(1);
    growing.append([3, 4].map((seq) => ({ ...got(`a${seq}`), seq, time: seq })));
    expect(visible.count).toBe(1);
    expect(visible.update()).toBe(3);
    expect(filter).toHaveBeenCalledTimes(4);
    expect([0, 1, 2].map((position) => visible.at(position))).toEqual([0, 2, 3]);
  });

  test('a log index finds its position', () => {
    const visible = new VisibleRows(logOf(got('a'), got('b'), got('a'), got('b'), got('a')), compileFilter('a'));
    visible.update();
    expect([0, 1, 2, 3, 4, 5].map((index) => visible.position(index))).toEqual([0, -1, 1, -1, 2, -1]);
    const all = new VisibleRows(log, undefined);
    all.update();
    expect([all.position(3), all.position(4)]).toEqual([3, -1]);
  });
});
