import { expect, test } from 'vitest';
import { Reaper } from '@/proxy/process/reaper';
import { Build } from './build';

const reaper = new Reaper();
const commandOf = (...words: readonly string[]) => ({ words, cwd: process.cwd(), env: process.env });
const scriptOf = (script: string) => commandOf(process.execPath, '-e', script);

test.skipIf(process.platform === 'win32')('ends although it left a process that holds its output', async () => {
  let printed = '';
  const build = new Build(reaper);
  const ended = build.run(commandOf('sh', '-c', 'sleep 60 & echo $!; exit 3'), (chunk) => {
    printed += chunk;
  });
  expect((await ended)?.message).toContain('failed with exit code 3');
  process.kill(Number(printed));
});

test('ends if it is stopped while it starts', async () => {
  const build = new Build(reaper);
  const ended = build.run(scriptOf('setInterval(() => {}, 1000)'), () => {});
  await build.stop();
  expect((await ended)?.message).toContain('was ended by SIGTERM');
});
