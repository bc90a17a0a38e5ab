import { expect, test } from 'vitest';
import { EventSplitter } from './event-splitter';
import { EventIds, messageEvent, readEvent, rewriteEvent } from './passing-event';

/** Splits a stream that comes in pieces of `size` bytes; parts are marked. */
function split(text: string, size: number, most = 1000, tail = ''): readonly string[] {
  const got: string[] = [];
  const pieces = { onBlock: (b: Buffer) => got.push(b.toString()), onPart: (b: Buffer) => got.push(`part ${b}`) };
  const splitter = new EventSplitter(
    { onBlock: (b) => void pieces.onBlock(b), onPart: (b) => void pieces.onPart(b) },
    most,
    Buffer.from(tail),
  );
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) splitter.feed(bytes.subarray(at, at + size));
  const rest = splitter.end().toString();
  return rest === '' ? got : [...got, `rest ${rest}`];
}

const STREAM = 'id: 1\ndata: a\n\n: comment\n\ndata: b\r\ndata: c\r\n\r\ndata: ü\r\rdata: open';

test('events are cut apart without a change, however they arrive', () => {
  for (let size = 1; size <= STREAM.length + 1; size++) {
    const pieces = split(STREAM, size);
    expect(pieces.map((one) => one.replace(/^rest /, '')).join('')).toBe(STREAM);
    expect(pieces.filter((one) => /data/.test(one))).toHaveLength(4);
  }
  expect(split(STREAM, 1000)).toEqual([
    'id: 1\ndata: a\n\n',
    ': comment\n\n',
    'data: b\r\ndata: c\r\n\r\n',
    'data: ü\r\r',
    'rest data: open',
  ]);
});

test('an event that has begun to pass, or is too large, passes in parts', () => {
  expect(split('ata: a\n\ndata: b\n\n', 100, 1000, 'd')).toEqual(['part ata: a\n\n', 'data: b\n\n']);
  expect(split('\ndata: b\n\n', 100, 1000, 'a: a\n')).toEqual(['part \n', 'data: b\n\n']);
  expect(split('data: b\n\n', 100, 1000, 'a\r\n\r\n'.slice(-4))).toEqual(['data: b\n\n']);
  expect(split(`data: ${'x'.repeat(20)}\n\ndata: b\n\n`, 10, 15).join('')).toBe(
    `part data: xxxxxxxxxxxxxxpart xxpart xx\n\ndata: b\n\n`.replace('part xxpart xx', 'part xxxxxx'),
  );
});

test('an event gets another id or message, and keeps its other lines', () => {
  const block = Buffer.from('event: message\r\nid: 7\r\nretry: 5\r\ndata: {"a":\r\ndata: 1}\r\n\r\n');
  const { id, message } = readEvent(block);
  expect([id, Buffer.from(message!).toString()]).toEqual(['7', '{"a":\n1}']);
  expect(rewriteEvent(block, undefined, Buffer.from('ü\nx')).toString()).toBe(
    'event: message\nretry: 5\ndata: ü\ndata: x\n\n',
  );
  expect(messageEvent('ä', Buffer.from('{}')).toString()).toBe('id: ä\ndata: {}\n\n');
  expect(readEvent(Buffer.from('id: 8\n\n'))).toMatchObject({ id: '8' });
});

test('the id for a host is one up to which it has got everything', () => {
  const ids = new EventIds();
  const [one, two, three, four] = ['1', '2', undefined, '4'].map((id) => ids.add(id));
  expect(ids.settle(two!)).toBeUndefined();
  expect(ids.settle(one!)).toBe('2');
  expect(ids.settle(four!)).toBeUndefined();
  expect(ids.settle(three!)).toBe('4');
});
