import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finished, type TestTaps, testTaps } from './test-tap';

let taps: TestTaps;
beforeAll(async () => {
  taps = await testTaps();
}, 60_000);
afterAll(() => taps.remove());

/** Answers with what it gets, says a word on stderr, and exits with 7. */
const server = [
  process.execPath,
  '-e',
  `process.stdin.on("data",(c)=>process.stdout.write(c)).on("end",()=>{console.error("bye");process.exitCode=7})`,
];

describe.skipIf(process.platform === 'win32')('a tap ends with its server', { timeout: 60_000 }, () => {
  const options = [[], ['--record', 'off']];

  test.each(options)('if stdout is a file %s', async (...line) => {
    const { code, stderr } = await finished(
      taps.start(line, server, `echo hello | "$@" > '${join(taps.home, '../o')}'`),
    );
    expect([code, stderr]).toEqual([7, 'bye\n']);
    expect(readFileSync(join(taps.home, '../o'), 'utf8')).toBe('hello\n');
  });

  test.each(options)('if stdout and stderr are /dev/null %s', async (...line) => {
    expect((await finished(taps.start(line, server, 'echo hello | "$@" >/dev/null 2>&1'))).code).toBe(7);
  });

  test('if stdin is a file', async () => {
    const { code, stdout } = await finished(taps.start([], server, `"$@" < '${import.meta.filename}'`));
    expect([code, stdout.toString()]).toEqual([7, readFileSync(import.meta.filename, 'utf8')]);
  });

  test.each(['</dev/null', '<&-', '<&- >&- 2>&-'])('if its streams are %s', async (streams) => {
    expect((await finished(taps.start([], server, `"$@" ${streams}`))).code).toBe(7);
  });

  test.skipIf(process.platform !== 'linux').each(options)('if all are a terminal %s', async (...line) => {
    const through = `script -qec "'$1' '$2' ${line.join(' ')} -- sh -c 'echo up; read a; exit 7'" /dev/null`;
    const tap = taps.start([], server, through);
    const all = finished(tap);
    await once(tap.stdout, 'readable');
    tap.stdin.write('hello\n');
    const { code, stdout } = await all;
    expect([code, stdout.toString().includes('up')]).toEqual([7, true]);
  });
});
