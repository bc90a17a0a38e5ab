import { expect, test } from 'vitest';
import { MessageQueue } from './message-queue';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const large = `{"id":1,"x":"${'x'.repeat(5_000_000)}"}`;

function queue() {
  const delivered: string[] = [];
  /** Each line with a brace has a sign. */
  const nextSign = (source: Buffer, from: number) => {
    const at = source.indexOf('{', from);
    return at === -1 ? Number.POSITIVE_INFINITY : at;
  };
  const messages = new MessageQueue(nextSign, (text) => delivered.push(text));
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

test.each([10, 10_000])(
  'finds the messages of concern among the lines of a source, padded by %d bytes',
  async (bytes) => {
    const { delivered, messages } = queue();
    const lines = ['', '"nobody"', '{"id":0}', '{"id":1}', '"nobody"', '"x" {"id":2}', '', '"nobody"'];
    const before = `${' '.repeat(bytes)}{"id":"before"}\n`;
    const source = Buffer.from(`${before}${lines.join('\n')}\n{"id":"after"}`);
    messages.addLines(source, before.length, source.lastIndexOf(10) + 1);
    messages.flush();
    expect(delivered).toEqual(['{"id":0}', '{"id":1}', '"x" {"id":2}']);
  },
);

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
