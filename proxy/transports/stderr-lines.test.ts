import { describe, expect, test } from 'vitest';
import { FLAG } from '@/lib/wire/frame';
import { LIMITS } from '@/lib/wire/limits';
import { FakeClock } from '@/lib/wire/test-clock';
import { StderrLines } from './stderr-lines';

function stderr(): { clock: FakeClock; lines: StderrLines; seen: [string, number][]; push(text: string): void } {
  const clock = new FakeClock();
  const seen: [string, number][] = [];
  const lines = new StderrLines(clock, (source, start, end, flags) =>
    seen.push([source.toString('utf8', start, end), flags]),
  );
  return { clock, lines, seen, push: (text) => lines.push(Buffer.from(text)) };
}

describe('stderr lines', () => {
  test('a line in two chunks is one frame if its end comes soon', async () => {
    const { clock, seen, push } = stderr();
    push('one\ntw');
    await clock.pass(LIMITS.stderrPartialMs - 1);
    push('o\n');
    await clock.pass(1000);
    expect(seen).toEqual([
      ['one', 0],
      ['two', 0],
    ]);
  });

  test('a prompt is shown after a while, and what follows goes on with it', async () => {
    const { clock, seen, push } = stderr();
    push('Password: ');
    expect(seen).toEqual([]);
    await clock.pass(LIMITS.stderrPartialMs);
    expect(seen).toEqual([['Password: ', FLAG.continued]]);
    push('ok\n');
    expect(seen).toEqual([
      ['Password: ', FLAG.continued],
      ['ok', 0],
    ]);
  });

  test('a progress bar without line feeds keeps coming', async () => {
    const { clock, seen, push } = stderr();
    for (const percent of ['10%\r', '20%\r', '30%\r']) {
      push(percent);
      await clock.pass(LIMITS.stderrPartialMs);
    }
    expect(seen.map(([text]) => text)).toEqual(['10%\r', '20%\r', '30%\r']);
  });

  test('in a flood the timer of an old line does not cut a new one', async () => {
    const { clock, seen, push } = stderr();
    push('a');
    await clock.pass(LIMITS.stderrPartialMs / 2);
    push('\nb');
    await clock.pass(LIMITS.stderrPartialMs / 2);
    push('\n');
    expect(seen.map(([text]) => text)).toEqual(['a', 'b']);
  });

  test('a flood without line feeds is not held', () => {
    const { seen, push } = stderr();
    push('x'.repeat(LIMITS.stderrLineBytes * 3 + 1));
    expect(seen.map(([text]) => text.length)).toEqual([1, 1, 1].map(() => LIMITS.stderrLineBytes));
  });

  test('at the end nothing is left behind', async () => {
    const { clock, lines, seen, push } = stderr();
    push('last words');
    lines.end();
    await clock.pass(1000);
    expect(seen).toEqual([['last words', FLAG.unterminated]]);
  });
});
