import { expect, test } from 'vitest';
import { MessageQueue } from './message-queue';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const large = `{"id":1,"x":"${'x'.repeat(5_000_000)}"}`;

function queue() {
  const delivered: string[] = [];
  const concerns = (source: Buffer, start: number, end: number) => !source.subarray(start, end).includes('nobody');
  const messages = new MessageQueue(concerns, (text) => delivered.push(text));
  const add = (text: string) => {
    const source = Buffer.from(`>${text}\n`);
    messages.add(source, 1, source.length - 1);
  };
  return { delivered, messages, add };
}

test('delivers a small message after all that was begun before', async () => {
  const { delivered, add } = queue();
  const order: string[] = [];
  void Promise.resolve().then(() => process.nextTick(() => order.push(`viewers, ${delivered.length} delivered`)));
  add('\uFEFF{"id":1}');
  expect(delivered).toEqual([]);
  await turn();
  expect(order).toEqual(['viewers, 0 delivered']);
  expect(delivered).toEqual(['{"id":1}']);
});

test.each([10, 10_000])('leaves out what concerns nobody, in a source of about %d bytes', async (bytes) => {
  const { delivered, messages, add } = queue();
  const pad = ' '.repeat(bytes);
  for (const text of ['{"id":0}', '"nobody"', '{"id":2}']) add(text + pad);
  await turn();
  expect(delivered.map((text) => text.trim())).toEqual(['{"id":0}', '{"id":2}']);
  add(`"nobody"${pad}`);
  messages.flush();
  expect(delivered).toHaveLength(2);
});

test('takes several turns for a large message, and keeps the order', async () => {
  const { delivered, add } = queue();
  for (const text of ['{"id":0}', large, '{"id":2}', large, '{"id":3}']) add(text);
  await turn();
  expect(delivered).toHaveLength(1);
  await expect.poll(() => delivered.length).toBe(5);
  expect(delivered).toEqual(['{"id":0}', large, '{"id":2}', large, '{"id":3}']);
});

test('delivers the rest at once when the connection ends', async () => {
  const { delivered, messages, add } = queue();
  add(large);
  add('{"id":2}');
  messages.flush();
  expect(delivered).toEqual([large, '{"id":2}']);
  await turn();
  expect(delivered).toHaveLength(2);
});
