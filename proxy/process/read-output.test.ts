import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { readOutput } from './read-output';
import { type ServerProcess, spawnServer } from './spawn';

const started: ServerProcess[] = [];
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
});

async function output(script: string): Promise<{ pipe: Readable; read: Readable; chunks: Buffer[]; text: string[] }> {
  const request = { command: process.execPath, args: ['-e', script], cwd: process.cwd(), env: process.env };
  const server = await spawnServer(request, { prepare: () => 'abcdef0123456789', add: () => {} });
  started.push(server);
  const [chunks, text]: [Buffer[], string[]] = [[], []];
  const pipe = server.child.stdout;
  const read = readOutput(pipe, (chunk) => {
    chunks.push(chunk);
    text.push(chunk.toString());
  });
  return { pipe, read, chunks, text };
}

describe('output of a process', () => {
  test('is read completely, into the same memory', async () => {
    const { read, chunks, text } = await output(
      'for (let n = 0; n < 20000; n++) process.stdout.write(`${n} ${"x".repeat(100)}\\n`)',
    );
    await once(read, 'close');
    const lines = text.join('').split('\n');
    expect(lines).toHaveLength(20_001);
    expect(lines[19_999]).toBe(`19999 ${'x'.repeat(100)}`);
    // If this fails, Node has no handle any more that can be moved, and a flood costs more.
    expect(new Set(chunks.map(({ buffer }) => buffer)).size).toBe(1);
  });

  test('ends if there is none', async () => {
    const { read, text } = await output('');
    await once(read, 'close');
    expect(text).toEqual([]);
  });

  test('can be given up while the process lives', async () => {
    const { pipe, read, text } = await output('process.stdout.write("first"); setInterval(() => {}, 1000)');
    await expect.poll(() => text.join('')).toBe('first');
    const closed = Promise.all([once(read, 'close'), once(pipe, 'close')]);
    pipe.destroy();
    read.destroy();
    await closed;
  });

  test('is read as usual where Node has no handle', async () => {
    const pipe = new PassThrough();
    const text: string[] = [];
    expect(readOutput(pipe, (chunk) => text.push(chunk.toString()))).toBe(pipe);
    pipe.end('all of it');
    await once(pipe, 'close');
    expect(text).toEqual(['all of it']);
  });
});
