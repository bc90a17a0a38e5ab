import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { isObject } from '@/lib/json/value';
import { FLAG } from '@/lib/wire/frame';
import { FakeClock } from '@/lib/wire/test-clock';
import { EngineInterest, STDERR_LINE_BYTES, STDERR_PARTIAL_MS, StderrLines, StdioLineSplitter } from './stdio-lines';

interface Piece {
  readonly text: string;
  readonly flags: number;
  readonly whole: boolean;
}

/** Returns the lines of these chunks, in latin1, so that each byte is a character. */
function split(chunks: readonly Buffer[], limit = 1000): Piece[] {
  const pieces: Piece[] = [];
  const splitter = new StdioLineSplitter(limit, (source, start, end, flags, whole) =>
    pieces.push({ text: source.toString('latin1', start, end), flags, whole }),
  );
  for (const chunk of chunks) splitter.addChunk(chunk);
  splitter.end();
  return pieces;
}

const texts = (...chunks: string[]): string[] =>
  split(chunks.map((chunk) => Buffer.from(chunk))).map(({ text }) => text);

describe('line splitter', () => {
  test('joins a long line in memory of its own, with one more byte for its line feed', () => {
    const sources: Buffer[] = [];
    const splitter = new StdioLineSplitter(1e7, (source, start, end) => {
      expect([start, end]).toEqual([0, source.length - 1]);
      sources.push(source);
    });
    for (let at = 0; at < 50; at++) splitter.addChunk(Buffer.alloc(65_536, 100 + at));
    splitter.addChunk(Buffer.from('end\n'));
    const [source] = sources;
    expect(source!.length).toBe(50 * 65_536 + 4);
    expect(source!.buffer.byteLength).toBeLessThan(2 * source!.length);
    expect([0, 49].map((at) => source![at * 65_536])).toEqual([100, 149]);
  });

  test('cuts at line feeds only, blank lines included', () => {
    expect(texts('a\n\nb\r\n\0c\n')).toEqual(['a', '', 'b\r', '\0c']);
  });

  test('joins a line that spans chunks', () => {
    expect(texts('a', 'b', 'c\nd', '\n')).toEqual(['abc', 'd']);
    expect(texts('a', '\n', '\n')).toEqual(['a', '']);
  });

  test('needs a chunk no more once it was split', () => {
    const lines: string[] = [];
    const splitter = new StdioLineSplitter(1000, (source, start, end) =>
      lines.push(source.toString('latin1', start, end)),
    );
    for (const text of ['a\nb', 'c', 'd\n']) {
      const chunk = Buffer.from(text);
      splitter.addChunk(chunk);
      chunk.fill('-');
    }
    expect(lines).toEqual(['a', 'bcd']);
  });

  test('flags a line without its line feed, which is not a message', () => {
    expect(split([Buffer.from('a\nb')])).toEqual([
      { text: 'a', flags: 0, whole: true },
      { text: 'b', flags: FLAG.unterminated, whole: false },
    ]);
    expect(split([Buffer.from('a\n')])).toHaveLength(1);
    expect(split([])).toEqual([]);
  });

  test('passes on all whole lines of a chunk at once, with the same result', () => {
    const text = fc.array(fc.constantFrom('a', '\n', 'bb\n', 'cccccccccccc'), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.boolean(), (parts, takes) => {
        const chunks = parts.map((part) => Buffer.from(part.join('')));
        const pieces: Piece[] = [];
        const add = (source: Buffer, start: number, end: number, flags: number, whole: boolean): void => {
          pieces.push({ text: source.toString('latin1', start, end), flags, whole });
        };
        const splitter = new StdioLineSplitter(20, add, (source, start, end) => {
          if (!takes) return false;
          expect(source[end - 1]).toBe(10);
          for (const line of source.toString('latin1', start, end - 1).split('\n')) {
            pieces.push({ text: line, flags: 0, whole: true });
          }
          return true;
        });
        for (const chunk of chunks) splitter.addChunk(Buffer.from(chunk));
        splitter.end();
        expect(pieces).toEqual(split(chunks, 20));
      }),
    );
  });

  test('breaks a line over the limit into pieces that are not messages, and goes on after it', () => {
    expect(split([Buffer.from('abcdefgh\nij\n')], 3)).toEqual([
      { text: 'abc', flags: FLAG.continued, whole: false },
      { text: 'def', flags: FLAG.continued, whole: false },
      { text: 'gh', flags: 0, whole: false },
      { text: 'ij', flags: 0, whole: true },
    ]);
  });

  test('passes a line of exactly the limit whole', () => {
    expect(split([Buffer.from('abc'), Buffer.from('\nabc\n')], 3).map(({ whole }) => whole)).toEqual([true, true]);
    expect(split([Buffer.from('abcdef\n')], 3).map(({ text }) => text)).toEqual(['abc', 'def']);
    expect(split([Buffer.from('abcd')], 3).map(({ flags }) => flags)).toEqual([FLAG.continued, FLAG.unterminated]);
  });

  test('depends on the bytes and not on the chunks, and loses or adds no byte', () => {
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

  test('passes lines inside a chunk without copying', () => {
    const chunk = Buffer.from('a\nbc\nd');
    const seen: [boolean, number, number][] = [];
    const splitter = new StdioLineSplitter(10, (source, start, end) => seen.push([source === chunk, start, end]));
    splitter.addChunk(chunk);
    expect(seen).toEqual([
      [true, 0, 1],
      [true, 2, 4],
    ]);
  });

  test('attack: copies a line of 64 MB in chunks twice at most', () => {
    const made = vi.spyOn(Buffer, 'allocUnsafe');
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let bytes = 0;
    const splitter = new StdioLineSplitter(Number.MAX_SAFE_INTEGER, (_, start, end) => {
      bytes += end - start;
    });
    for (let index = 0; index < 1024; index++) splitter.addChunk(chunk);
    splitter.addChunk(Buffer.from('\n'));
    expect(bytes).toBe(64 * 1024 * 1024);
    // Memory is filled once, and copied once when it is full.
    const copied = made.mock.calls.slice(0, -1).reduce((sum, [size]) => sum + size, 0);
    expect(copied).toBeLessThan(2 * bytes);
    made.mockRestore();
  });

  test('attack: cuts 1 GB without a line feed into pieces, and never holds more than the limit', () => {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const limit = 8 * 1024 * 1024;
    let bytes = 0;
    let longest = 0;
    const splitter = new StdioLineSplitter(limit, (_, start, end) => {
      bytes += end - start;
      longest = Math.max(longest, end - start);
    });
    for (let index = 0; index < 16 * 1024; index++) splitter.addChunk(chunk);
    expect(bytes).toBe(1024 * 1024 * 1024 - limit);
    splitter.end();
    expect(bytes).toBe(1024 * 1024 * 1024);
    expect(longest).toBe(limit);
  });

  test('after flush passes on the start of a line, its rest is not a message', () => {
    const pieces: [string, number, boolean][] = [];
    const splitter = new StdioLineSplitter(10, (source, start, end, flags, whole) =>
      pieces.push([source.toString('latin1', start, end), flags, whole]),
    );
    splitter.addChunk(Buffer.from('Pass'));
    splitter.flush();
    splitter.flush();
    splitter.addChunk(Buffer.from('word\nnext\n'));
    expect(pieces).toEqual([
      ['Pass', FLAG.continued, false],
      ['word', 0, false],
      ['next', 0, true],
    ]);
  });
});

function stderr(): { clock: FakeClock; lines: StderrLines; seen: [string, number][]; push(text: string): void } {
  const clock = new FakeClock();
  const seen: [string, number][] = [];
  const lines = new StderrLines(clock, (source, start, end, flags) =>
    seen.push([source.toString('utf8', start, end), flags]),
  );
  return { clock, lines, seen, push: (text) => lines.addChunk(Buffer.from(text)) };
}

describe('stderr splitter', () => {
  test('joins a line in two chunks if its end comes soon', async () => {
    const { clock, seen, push } = stderr();
    push('one\ntw');
    await clock.pass(STDERR_PARTIAL_MS - 1);
    push('o\n');
    await clock.pass(1000);
    expect(seen).toEqual([
      ['one', 0],
      ['two', 0],
    ]);
  });

  test('shows a prompt after a while, and continues it later', async () => {
    const { clock, seen, push } = stderr();
    push('Password: ');
    expect(seen).toEqual([]);
    await clock.pass(STDERR_PARTIAL_MS);
    expect(seen).toEqual([['Password: ', FLAG.continued]]);
    push('ok\n');
    expect(seen).toEqual([
      ['Password: ', FLAG.continued],
      ['ok', 0],
    ]);
  });

  test('keeps showing a progress bar without line feeds', async () => {
    const { clock, seen, push } = stderr();
    for (const percent of ['10%\r', '20%\r', '30%\r']) {
      push(percent);
      await clock.pass(STDERR_PARTIAL_MS);
    }
    expect(seen.map(([text]) => text)).toEqual(['10%\r', '20%\r', '30%\r']);
  });

  test('does not cut a new line by an old line’s timer in a flood', async () => {
    const { clock, seen, push } = stderr();
    push('a');
    await clock.pass(STDERR_PARTIAL_MS / 2);
    push('\nb');
    await clock.pass(STDERR_PARTIAL_MS / 2);
    push('\n');
    expect(seen.map(([text]) => text)).toEqual(['a', 'b']);
  });

  test('does not hold a flood without line feeds', () => {
    const { seen, push } = stderr();
    push('x'.repeat(STDERR_LINE_BYTES * 3 + 1));
    expect(seen.map(([text]) => text.length)).toEqual([1, 1, 1].map(() => STDERR_LINE_BYTES));
  });

  test('leaves nothing behind at the end', async () => {
    const { clock, lines, seen, push } = stderr();
    push('last words');
    lines.end();
    await clock.pass(1000);
    expect(seen).toEqual([['last words', FLAG.unterminated]]);
  });
});

const concerns = (text: string): boolean => {
  const bytes = Buffer.from(text);
  return new EngineInterest().mayConcernEngine(bytes, 0, bytes.length);
};

describe('engine interest', () => {
  test.each([
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['an error response with a null id', '{"jsonrpc":"2.0","error":{"code":-32700},"id" : null}'],
    ['a request from the server', '{"jsonrpc":"2.0","method":"ping","id":"a"}'],
    ['an id behind an escape', '{"jsonrpc":"2.0","\\u0069d":1,"result":{}}'],
    ['progress', '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1}}'],
    ['progress as PHP writes it', '{"method":"notifications\\/progress"}'],
    ['progress behind escapes', '{"method":"notifications\\u002fprogres\\u0073"}'],
    ['cancelled', '{"method":"notifications/cancelled","params":{"requestId":1}}'],
    ['list_changed', '{"method":"notifications/tools/list_changed"}'],
    ['list_changed behind an escape', '{"method":"notifications/tools/list\\u005Fchanged"}'],
    ['a response without an id', '{"jsonrpc":"2.0","result":{}}'],
    ['a response without an id as Python writes it', '{"jsonrpc": "2.0", "result" : {}}'],
    ['a response without an id behind escapes', '{"jsonrpc":"2.0","\\u0072esul\\u0074":{}}'],
    ['an error without an id', '{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}'],
    ['an error without an id as Python writes it', '{"jsonrpc": "2.0", "error": {"message": "no", "code": -32600}}'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
  ])('finds %s', (_, text) => expect(concerns(text)).toBe(true));

  test.each([
    [
      'a log message',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"no progress yet"}}',
    ],
    [
      'a coloured log message',
      '{"method":"notifications/message","params":{"data":"\\u001b[32mgreen\\u001b[0m \\u003cb\\u003e"}}',
    ],
    [
      'a log message about a result',
      '{"method":"notifications/message","params":{"data":"\\"result\\": 1-32","logger":"result","results":[5]}}',
    ],
    ['an updated resource', '{"method":"notifications/resources/updated","params":{"uri":"a://b"}}'],
    ['junk', 'Server listening on port 3000'],
    ['nothing', ''],
  ])('skips %s', (_, text) => expect(concerns(text)).toBe(false));

  test('never misses a message of concern, however it is escaped', () => {
    const escaped = (text: string): fc.Arbitrary<string> =>
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: text.length, maxLength: text.length }).map((choices) =>
        [...text]
          .map((letter, index) => {
            const hex = letter.charCodeAt(0).toString(16).padStart(4, '0');
            if (choices[index] === 1) return `\\u${hex}`;
            if (choices[index] === 2) return `\\u${hex.toUpperCase()}`;
            return choices[index] === 3 && letter === '/' ? '\\/' : letter;
          })
          .join(''),
      );
    const methods = ['notifications/progress', 'notifications/cancelled', 'notifications/prompts/list_changed'];
    const message = fc.oneof(
      escaped('id').map((key) => `{"${key}":1,"x":{}}`),
      escaped('result').map((key) => `{"${key}":{}}`),
      fc
        .constantFrom(...methods)
        .chain(escaped)
        .map((method) => `{"method":"${method}"}`),
    );
    fc.assert(
      fc.property(message, (text) => {
        expect(isObject(JSON.parse(text))).toBe(true);
        expect(concerns(text)).toBe(true);
      }),
    );
  });

  test('decides the same for the lines of one chunk as for each line alone', () => {
    const line = fc.constantFrom(
      '{"id":1}',
      '{"x":"progress"}',
      'junk',
      '',
      '"i',
      'd"',
      '\\u0061',
      '"result"',
      ':-32',
      '{"result":1}',
      '{"method":"a/list_changed"}',
    );
    fc.assert(
      fc.property(fc.array(fc.array(line, { maxLength: 12 }), { maxLength: 4 }), (chunks) => {
        const interest = new EngineInterest();
        for (const lines of chunks) {
          const chunk = Buffer.from(lines.map((text) => `${text}\n`).join(''));
          let start = 0;
          for (const text of lines) {
            const end = start + text.length;
            expect(interest.mayConcernEngine(chunk, start, end)).toBe(concerns(text));
            start = end + 1;
          }
        }
      }),
    );
  });

  test('searches again for an earlier line', () => {
    const chunk = Buffer.from('{"id":1}\nnothing\n');
    const interest = new EngineInterest();
    expect(interest.mayConcernEngine(chunk, 9, 16)).toBe(false);
    expect(interest.mayConcernEngine(chunk, 0, 8)).toBe(true);
  });
});
