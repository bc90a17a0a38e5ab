import { expect, test } from 'vitest';
import { answered, asked, framesOf, sent } from '@/lib/store/test-frames';
import { TrafficReader } from '../traffic/traffic-reader';
import { CallIndex } from './call-index';

function bookOf(...params: (object | string)[]) {
  const reader = new TrafficReader();
  const seeds = params.map((one, id) =>
    typeof one === 'string' ? sent(one) : asked(id, 'tools/call', { name: 'echo', ...one }),
  );
  for (const frame of framesOf(seeds)) reader.addFrame(frame);
  return new CallIndex(reader.traffic());
}

const find = (book: CallIndex, params: object) => {
  const found = book.find('tools/call', JSON.stringify({ name: 'echo', ...params }));
  if (!found) return undefined;
  const seqs: number[] = [];
  for (let call = found.calls.at(0); call; call = found.calls.at(seqs.length)) seqs.push(call.seq);
  return { how: found.how, seqs };
};

test('finds calls with equal params, in order', () => {
  const book = bookOf({ arguments: { a: 1, b: 2 } }, { arguments: { a: 1 } }, { arguments: { b: 2, a: 1 } });
  expect(find(book, { arguments: { b: 2.0, a: 1 }, _meta: { progressToken: 'x' } })).toEqual({
    how: 'same',
    seqs: [1, 3],
  });
  expect(find(book, { arguments: { a: 2 } })).toBeUndefined();
});

test('distinguishes digits that a double can’t hold', () => {
  const book = bookOf('{"jsonrpc":"2.0","id":1,"method":"x","params":{"n":9007199254740993}}');
  expect(book.find('x', '{"n":9007199254740993}')).toBeDefined();
  expect(book.find('x', '{"n":9007199254740992}')).toBeUndefined();
});

test('a placeholder matches any value in its place', () => {
  const book = bookOf({ arguments: { token: '•••', url: 'https://x/?key=[redacted:query:0a0b0c0d]&y=1' } });
  const url = 'https://x/?key=secret&y=1';
  expect(find(book, { arguments: { token: { even: 1 }, url } })).toMatchObject({ how: 'redacted' });
  expect(find(book, { arguments: { token: 'x', url: 'https://x/?key=secret&y=2' } })).toBeUndefined();
  expect(find(book, { arguments: { url } })).toBeUndefined();
  expect(find(book, { arguments: { token: 'x', url, more: 1 } })).toBeUndefined();
});

test('finds calls that differ only in redacted values, in order', () => {
  const token = (digits: string) => ({ arguments: { token: `[redacted:jwt:${digits}]`, n: 1 } });
  const book = bookOf(token('0a0b0c0d'), { arguments: { token: 'a •••', n: 1 } }, token('11111111'));
  expect(find(book, { arguments: { token: 'any', n: 1 } })).toEqual({ how: 'redacted', seqs: [1, 3] });
  expect(find(book, { arguments: { token: 'a secret', n: 1 } })).toEqual({ how: 'redacted', seqs: [1, 3] });
  expect(find(book, token('11111111'))).toEqual({ how: 'same', seqs: [3] });
  expect(find(bookOf({ arguments: [['•••'], 1] }), { arguments: [['x'], 1] })).toMatchObject({ seqs: [1] });
  expect(find(bookOf({ arguments: [['•••'], 1] }), { arguments: [{ 0: 'x' }, 1] })).toBeUndefined();
});

test('finds each of a thousand redacted calls by the rest of its params', () => {
  const all = Array.from({ length: 1000 }, (_, n) => ({
    arguments: { apiKey: '•••', n, z: 'a [redacted:jwt:0a0b0c0d] b' },
  }));
  const book = bookOf(...all);
  for (const n of [0, 500, 999]) {
    expect(find(book, { arguments: { apiKey: [n], n, z: 'a real b' } })).toMatchObject({
      how: 'redacted',
      seqs: [n + 1],
    });
  }
  expect(find(book, { arguments: { apiKey: 1, n: 1000, z: 'a real b' } })).toBeUndefined();
});

test('finds a round by its question, whatever its input', () => {
  const book = bookOf({ inputResponses: { n: { content: 1 } }, requestState: 's' });
  expect(find(book, { inputResponses: { n: { content: 1 } }, requestState: 's' })).toMatchObject({ how: 'same' });
  expect(find(book, { inputResponses: { n: { content: 2 } }, requestState: 's' })).toMatchObject({
    how: 'other-input',
  });
  expect(find(book, { inputResponses: { m: { content: 2 } }, requestState: 's' })).toBeUndefined();
  expect(find(book, { inputResponses: { n: { content: 2 } }, requestState: 't' })).toBeUndefined();
});

test('names the nearest call and the differences', () => {
  const book = bookOf(
    { arguments: { a: 'x', b: [8, 9], 'odd name': 1 } },
    { arguments: { a: 'y', b: [1, 3], 'odd name': 1 } },
    { name: 'other', arguments: {} },
  );
  const asking = JSON.stringify({ name: 'echo', arguments: { a: 'y', b: [1, 2, 3], c: null } });
  expect(book.nearest('tools/call', 'echo', asking)).toMatchObject({
    call: { seq: 2 },
    differences: [
      { kind: 'added', path: 'arguments.b[1]', before: '', after: '2' },
      { kind: 'missing', path: 'arguments["odd name"]', before: '1', after: '' },
      { kind: 'added', path: 'arguments.c', before: '', after: 'null' },
    ],
  });
  expect(book.nearest('prompts/get', undefined, undefined)).toBeUndefined();
});

const HALF = 3000;

test('indexes many calls, equal and different ones', () => {
  const alike = Array.from({ length: HALF }, () => ({ arguments: {} }));
  const others = Array.from({ length: HALF }, (_, n) => ({ arguments: { n } }));
  const book = bookOf(...alike, ...others, `{"jsonrpc":"2.0","id":1e999,"result":{}}`);
  expect(find(book, { arguments: {} })?.seqs).toHaveLength(HALF);
  expect(find(book, { arguments: { n: HALF - 1 } })?.seqs).toEqual([2 * HALF]);
  expect(book.nearest('tools/call', 'echo', '{"name":"echo","arguments":{"n":-1}}')?.differences).toHaveLength(1);
}, 60_000);

test('ignores answers without a request', () => {
  const reader = new TrafficReader();
  for (const frame of framesOf([answered(1, {})])) reader.addFrame(frame);
  expect(new CallIndex(reader.traffic()).methods).toEqual([]);
});
