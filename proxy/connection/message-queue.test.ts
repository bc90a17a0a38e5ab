import { expect, test } from 'vitest';
import { MessageQueue } from './message-queue';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const large = `{"id":1,"x":"${'x'.repeat(5_000_000)}"}`;

function queue() {
  const delivered: string[] = [];
  const messages = new MessageQueue((text) => delivered.push(text));
  const add = (text: string) => {
    const source = Buffer.from(`>${text}\n`);
    messages.add(source, 1, source.length - 1);
  };
  return { delivered, messages, add };
}

test('delivers a small message at once', () => {
  const { delivered, add } = queue();
  add('\uFEFF{"id":1}');
  expect(delivered).toEqual(['{"id":1}']);
});

test('takes several turns for a large message, and keeps the order', async () => {
  const { delivered, add } = queue();
  for (const text of ['{"id":0}', large, '{"id":2}', large, '{"id":3}']) add(text);
  expect(delivered).toEqual(['{"id":0}']);
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
