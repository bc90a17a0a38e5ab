import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type LineTaker, StreamRelay } from './relay';

/** A passage between two streams, what has come out and what was recorded. `recording`: what the bytes wait for. */
function passage(recording: () => Promise<void> | undefined = () => undefined) {
  const [from, to] = [new PassThrough(), new PassThrough()];
  const [got, recorded]: [Buffer[], Buffer[]] = [[], []];
  to.on('data', (chunk: Buffer) => got.push(chunk));
  const one = new StreamRelay(from, to, (chunk) => {
    recorded.push(Buffer.from(chunk));
    return recording();
  });
  const texts = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString();
  return {
    from,
    to,
    one,
    /** Writes, and lets it pass. */
    async write(text: string) {
      from.write(text);
      await new Promise((resolve) => setImmediate(resolve));
    },
    got: () => texts(got),
    recorded: () => texts(recorded),
  };
}

/** Takes lines that begin with `x`, and notes all. */
function taker(mostBytes = 1000): LineTaker & { readonly lines: string[]; readonly long: string[] } {
  const [lines, long]: [string[], string[]] = [[], []];
  return {
    lines,
    long,
    mostBytes,
    onLine: (line) => lines.push(String(line)) > 0 && line[0] !== 'x'.charCodeAt(0),
    onLongLine: (line) => void long.push(String(line)),
  };
}

describe('a passage', () => {
  test('decides over whole lines from the end of the present one on, and passes the rest as it is', async () => {
    const { one, write, got, recorded } = passage();
    await write('a1\nx half');
    const decide = taker();
    one.decideBy(decide);
    await write(' line\nb\r\nx 1\n\nc');
    await write('\nx 2');
    expect(decide.lines).toEqual(['b\r', 'x 1', '', 'c']);
    expect(got()).toBe('a1\nx half line\nb\r\n\nc\n');
    await write('\nd');
    one.decideBy(undefined);
    await write('d\nx 3\n');
    expect(decide.lines.slice(4)).toEqual(['x 2']);
    expect(got()).toBe('a1\nx half line\nb\r\n\nc\ndd\nx 3\n');
    expect(recorded()).toBe(got());
  });

  test('sends other lines only between two lines', async () => {
    const { one, write, got, recorded } = passage();
    await write('half');
    one.decideBy(taker());
    one.sendLine(Buffer.from('sent'));
    one.recordLine(Buffer.from('only recorded'));
    expect(got()).toBe('half');
    // The line goes on although nobody decides any more.
    one.decideBy(undefined);
    await write(' line\nb\n');
    expect(got()).toBe('half line\nsent\nb\n');
    expect(recorded()).toBe('half line\nsent\nonly recorded\nb\n');
  });

  test('sends a line that was taken in between in its place', async () => {
    const { one, write, got } = passage();
    one.decideBy({
      mostBytes: 1000,
      onLine: (line) => {
        if (line[0] !== 'x'.charCodeAt(0)) return true;
        one.sendLine(Buffer.from('changed'));
        return false;
      },
      onLongLine: () => {},
    });
    await write('a\nb\nx\nc\nx\n');
    expect(got()).toBe('a\nb\nchanged\nc\nchanged\n');
  });

  test('passes a line that is too long to be held, in whatever pieces it comes', async () => {
    const { one, write, got } = passage();
    const decide = taker(10);
    one.decideBy(decide);
    const text = `short\n${'x'.repeat(25)}`;
    for (const letter of text) await write(letter);
    one.sendLine(Buffer.from('later'));
    await write('x\nx\n');
    expect(decide.long).toEqual(['x'.repeat(11)]);
    expect(decide.lines).toEqual(['short', 'x']);
    expect(got()).toBe(`${text}x\nlater\n`);
  });

  test('ends with the lines that wait, and then half a line', async () => {
    const { one, write, got, to } = passage();
    one.decideBy(taker());
    await write('a\nhalf');
    one.sendLine(Buffer.from('waits'));
    one.end();
    expect(got()).toBe('a\nwaits\nhalf');
    expect(to.writableEnded).toBe(true);
  });

  test('ends the half line that was passed, if lines wait for that', async () => {
    const { one, write, got } = passage();
    await write('half');
    one.decideBy(taker());
    one.sendLine(Buffer.from('waits'));
    one.end();
    expect(got()).toBe('half\nwaits\n');
  });

  test('cuts both sides', async () => {
    const { one, write, from, to, got } = passage();
    const cutAt = (line: Buffer): boolean => {
      if (String(line) === 'cut') one.cut();
      return String(line) !== 'cut';
    };
    one.decideBy({ mostBytes: 1000, onLongLine: () => {}, onLine: cutAt });
    await write('a\ncut\nb\n');
    expect(got()).toBe('a\n');
    expect([from.destroyed, to.writableEnded]).toEqual([true, true]);
  });

  test('sends nothing before it is recorded, in order, and reads no more until then; the end comes last', async () => {
    const waiting: (() => void)[] = [];
    let isSlow = true;
    const { one, write, from, to, got, recorded } = passage(() =>
      isSlow ? new Promise((resolve) => waiting.push(resolve)) : undefined,
    );
    await write('a\n');
    one.sendLine(Buffer.from('b'));
    isSlow = false;
    one.sendLine(Buffer.from('c'));
    one.end();
    expect([recorded(), got(), from.isPaused(), to.writableEnded]).toEqual(['a\nb\nc\n', '', true, false]);
    waiting[1]!();
    await new Promise((resolve) => setImmediate(resolve));
    expect(got()).toBe('');
    waiting[0]!();
    await new Promise((resolve) => setImmediate(resolve));
    expect([got(), to.writableEnded]).toEqual(['a\nb\nc\n', true]);
  });

  test('reads no more while a receiver does not read, its own or another', async () => {
    const { one, from, to } = passage();
    const other = new PassThrough({ highWaterMark: 1 });
    const far = new StreamRelay(new PassThrough(), other, () => undefined);
    one.decideBy(taker());
    expect(far.sendLine(Buffer.from('full'))).toBe(false);
    one.waitFor(far);
    one.waitFor(far);
    expect(from.isPaused()).toBe(true);
    other.resume();
    await new Promise((resolve) => setImmediate(resolve));
    expect(from.isPaused()).toBe(false);
    to.pause();
    from.write(Buffer.alloc(1_000_000, 'y\n'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(from.isPaused()).toBe(true);
  });
});
