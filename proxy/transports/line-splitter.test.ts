import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { FLAG } from '@/lib/wire/frame';
import { LineSplitter } from './line-splitter';

interface Piece {
  readonly text: string;
  readonly flags: number;
  readonly whole: boolean;
}

/** What comes out of these chunks; latin1, so that each byte is a character. */
function split(chunks: readonly Buffer[], limit = 1000): Piece[] {
  const pieces: Piece[] = [];
  const splitter = new LineSplitter(limit, (source, start, end, flags, whole) =>
    pieces.push({ text: source.toString('latin1', start, end), flags, whole }),
  );
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return pieces;
}

const texts = (...chunks: string[]): string[] =>
  split(chunks.map((chunk) => Buffer.from(chunk))).map(({ text }) => text);

describe('line splitter', () => {
  test('cuts at line feeds only, blank lines included', () => {
    expect(texts('a\n\nb\r\n\0c\n')).toEqual(['a', '', 'b\r', '\0c']);
  });

  test('joins a line that spans chunks', () => {
    expect(texts('a', 'b', 'c\nd', '\n')).toEqual(['abc', 'd']);
    expect(texts('a', '\n', '\n')).toEqual(['a', '']);
  });

  test('flags what no line feed ended, which is no message', () => {
    expect(split([Buffer.from('a\nb')])).toEqual([
      { text: 'a', flags: 0, whole: true },
      { text: 'b', flags: FLAG.unterminated, whole: false },
    ]);
    expect(split([Buffer.from('a\n')])).toHaveLength(1);
    expect(split([])).toEqual([]);
  });

  test('breaks a line over the limit into pieces that are no messages, and goes on after it', () => {
    expect(split([Buffer.from('abcdefgh\nij\n')], 3)).toEqual([
      { text: 'abc', flags: FLAG.continued, whole: false },
      { text: 'def', flags: FLAG.continued, whole: false },
      { text: 'gh', flags: 0, whole: false },
      { text: 'ij', flags: 0, whole: true },
    ]);
  });

  test('a line of exactly the limit is whole', () => {
    expect(split([Buffer.from('abc'), Buffer.from('\nabc\n')], 3).map(({ whole }) => whole)).toEqual([true, true]);
    expect(split([Buffer.from('abcdef\n')], 3).map(({ text }) => text)).toEqual(['abc', 'def']);
    expect(split([Buffer.from('abcd')], 3).map(({ flags }) => flags)).toEqual([FLAG.continued, FLAG.unterminated]);
  });

  test('the result depends on the bytes and not on the chunks, and no byte is lost or added', () => {
    const bytes = fc
      .uint8Array({ maxLength: 60 })
      .map((all) => Buffer.from(all.map((byte) => (byte < 60 ? 10 : byte))));
    fc.assert(
      fc.property(
        bytes,
        fc.array(fc.integer({ min: 0, max: 60 })),
        fc.integer({ min: 1, max: 12 }),
        (all, cuts, limit) => {
          const at = [0, ...cuts.filter((cut) => cut <= all.length).sort((a, b) => a - b), all.length];
          const chunks = at.slice(1).map((to, index) => all.subarray(at[index], to));
          const pieces = split(chunks, limit);
          expect(pieces).toEqual(split([all], limit));
          const joined = pieces.map(({ text, flags }) => text + (flags === 0 ? '\n' : '')).join('');
          expect(joined).toBe(all.toString('latin1'));
          expect(pieces.every(({ text }) => text.length <= limit)).toBe(true);
          const lines = all.toString('latin1').split('\n').slice(0, -1);
          expect(pieces.filter(({ whole }) => whole).map(({ text }) => text)).toEqual(
            lines.filter((line) => line.length <= limit),
          );
        },
      ),
    );
  });

  test('lines inside a chunk are handed over in place', () => {
    const chunk = Buffer.from('a\nbc\nd');
    const seen: [boolean, number, number][] = [];
    const splitter = new LineSplitter(10, (source, start, end) => seen.push([source === chunk, start, end]));
    splitter.push(chunk);
    expect(seen).toEqual([
      [true, 0, 1],
      [true, 2, 4],
    ]);
  });

  test('attack 35: a line of 64 MB in chunks is copied once', () => {
    const concat = vi.spyOn(Buffer, 'concat');
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let bytes = 0;
    const splitter = new LineSplitter(Number.MAX_SAFE_INTEGER, (_, start, end) => {
      bytes += end - start;
    });
    for (let index = 0; index < 1024; index++) splitter.push(chunk);
    splitter.push(Buffer.from('\n'));
    expect(bytes).toBe(64 * 1024 * 1024);
    expect(concat).toHaveBeenCalledTimes(1);
    concat.mockRestore();
  });

  test('attack 35: 1 GB without a line feed is pieces, and no more than the limit is ever held', () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const limit = 8 * 1024 * 1024;
    let bytes = 0;
    let longest = 0;
    const splitter = new LineSplitter(limit, (_, start, end) => {
      bytes += end - start;
      longest = Math.max(longest, end - start);
    });
    for (let index = 0; index < 16 * 1024; index++) splitter.push(chunk);
    expect(bytes).toBe(1024 * 1024 * 1024 - limit);
    splitter.end();
    expect(bytes).toBe(1024 * 1024 * 1024);
    expect(longest).toBe(limit);
  });

  test('flush hands over the beginning of a line, and the rest is no message', () => {
    const pieces: [string, number, boolean][] = [];
    const splitter = new LineSplitter(10, (source, start, end, flags, whole) =>
      pieces.push([source.toString('latin1', start, end), flags, whole]),
    );
    splitter.push(Buffer.from('Pass'));
    splitter.flush();
    splitter.flush();
    splitter.push(Buffer.from('word\nnext\n'));
    expect(pieces).toEqual([
      ['Pass', FLAG.continued, false],
      ['word', 0, false],
      ['next', 0, true],
    ]);
  });
});
