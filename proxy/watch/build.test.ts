import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Reaper } from '@/proxy/process/reaper';
import { Build } from './build';
import { newFolder, removeFolders } from './fixtures/edited-server';

afterEach(removeFolders);

const reaper = new Reaper();
const commandOf = (...words: readonly string[]) => ({ words, cwd: process.cwd(), env: process.env });
const scriptOf = (script: string) => commandOf(process.execPath, '-e', script);
const noOutput = () => ({ addChunk: () => {}, end: () => {} });

test.skipIf(process.platform === 'win32')('ends although it left a process that holds its output', async () => {
  let printed = '';
  const build = new Build(reaper);
  const addChunk = (chunk: Buffer): void => {
    printed += chunk;
  };
  const ended = build.run(commandOf('sh', '-c', 'sleep 60 & echo $!; exit 3'), () => ({ addChunk, end: () => {} }));
  expect((await ended)?.message).toContain('failed with exit code 3');
  process.kill(Number(printed));
});

test('ends if it is stopped while it starts', async () => {
  const build = new Build(reaper);
  const ended = build.run(scriptOf('setInterval(() => {}, 1000)'), noOutput);
  await build.stop();
  expect((await ended)?.message).toContain('was ended by SIGTERM');
});

test('keeps the lines of its two outputs apart, and characters that come in pieces', async () => {
  const folder = newFolder();
  const [start, end] = ['a.ts:1 error: “ä', 'ö” is unknown'].map((text) => Buffer.from(text).toString('hex'));
  const pieces = [
    [2, start!.slice(0, -2)],
    [1, Buffer.from('50 %').toString('hex')],
    [2, start!.slice(-2) + end],
  ];
  // Each piece is printed once the one before has been read.
  const steps = pieces.map(
    ([fd, hex], at) => `
      fs.writeSync(${fd}, Buffer.from('${hex}', 'hex'));
      while (!fs.existsSync(${JSON.stringify(join(folder, String(at)))}));`,
  );
  let chunks = 0;
  const addChunk = () => writeFileSync(join(folder, String(chunks++)), '');
  const build = new Build(reaper);
  const command = scriptOf(`const fs = require('fs'); ${steps.join('')} process.exit(1)`);
  const failure = await build.run(command, () => ({ addChunk, end: () => {} }));
  expect(failure?.line).toBe('a.ts:1 error: “äö” is unknown');
});
