import { expect, test } from 'vitest';
import { FakeClock } from '@/lib/wire/test-clock';
import { StdioLineSplitter } from './stdio-lines';
import { UNENDED_MS, UnendedObjects } from './unended-objects';

const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{}}';

function begin() {
  const clock = new FakeClock();
  const reported: string[] = [];
  const lines = new StdioLineSplitter(1000, () => {});
  const objects = new UnendedObjects(clock, lines, (text) => reported.push(text));
  const print = async (text: string, ms = UNENDED_MS): Promise<void> => {
    lines.addChunk(Buffer.from(text));
    objects.onChunk(text.includes('\n'));
    await clock.pass(ms);
  };
  return { print, reported };
}

test('reports a whole object without a newline, once', async () => {
  const { print, reported } = begin();
  await print(ANSWER);
  await print(' ');
  expect(reported).toEqual([ANSWER]);
});

test('reports each object of a line that goes on, and starts again after a newline', async () => {
  const { print, reported } = begin();
  await print(ANSWER);
  await print('{"id":2}{"id":3}');
  await print('\n{"id":4}');
  expect(reported).toEqual([ANSWER, '{"id":2}', '{"id":3}', '{"id":4}']);
});

test('reports nothing about a line that ends soon, a part of an object, or other text', async () => {
  const { print, reported } = begin();
  await print(ANSWER, UNENDED_MS - 1);
  await print('\n');
  await print(ANSWER.slice(0, -1));
  await print('}\n');
  await print('Password: ');
  expect(reported).toEqual([]);
});
