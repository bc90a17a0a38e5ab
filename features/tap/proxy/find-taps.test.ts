import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TapFinder } from './find-taps';
import { finished, type TestTaps, testTaps } from './test-tap';

let taps: TestTaps;
const others: ChildProcess[] = [];
beforeEach(async () => {
  taps = await testTaps();
});
afterEach(() => {
  for (const other of others.splice(0)) other.kill();
  taps.remove();
});

/** Starts a process that does nothing. */
function idle(uid?: number): number {
  const other = spawn('/bin/sleep', ['60'], { stdio: 'ignore', ...(uid !== undefined && { uid }) });
  others.push(other);
  return other.pid!;
}

test.runIf(process.platform === 'linux')(
  'attack: a new file in the name of a process of another user is not followed',
  async () => {
    await finished(taps.start(['--name', 'files'], [process.execPath, '-e', '0']));
    const [name] = taps.names();
    const folder = join(taps.home, 'other');
    mkdirSync(folder);
    const finder = new TapFinder(folder);
    expect(finder.findNew()).toEqual([]);
    const copyFor = (pid: number) =>
      copyFileSync(join(taps.recordings, name!), join(folder, name!.replace(/-p\d+/, `-p${pid}`)));
    // Only root can start a process as somebody else. For others, the first process is root’s.
    const foreign = process.getuid?.() === 0 ? idle(65_534) : 1;
    const own = idle();
    copyFor(foreign);
    copyFor(own);
    expect(finder.findNew().map(({ pid }) => pid)).toEqual([own]);
  },
);
