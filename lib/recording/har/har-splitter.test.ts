import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HarSplitter } from './har-splitter';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Splits a text in chunks of `size` bytes. */
function split(text: string, size: number) {
  const [splitter, bytes] = [new HarSplitter(), encoder.encode(text)];
  const parts: { is: string; value: unknown }[] = [];
  for (let at = 0; at < bytes.length; at += size)
    for (const part of splitter.splitChunk(bytes.slice(at, at + size)))
      parts.push({ is: part.is, value: JSON.parse(decoder.decode(part.bytes)) });
  return { parts, isComplete: splitter.isComplete };
}

test('finds the entries in chunks of any size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.jsonValue(),
      fc.nat(2),
      fc.integer({ min: 1, max: 40 }),
      (entries, creator, other, indent, size) => {
        const log = { version: '1.2', pages: [other, { entries: [{}] }], creator, entries, comment: other };
        const text = JSON.stringify({ log, entries: [{}], creator: {} }, undefined, indent);
        const { parts, isComplete } = split(text, size);
        expect(isComplete).toBe(true);
        expect(parts).toEqual([
          { is: 'creator', value: JSON.parse(JSON.stringify(creator)) },
          ...entries.map((value) => ({ is: 'entry', value: JSON.parse(JSON.stringify(value)) })),
        ]);
      },
    ),
  );
});

test.each([['"', '\\"', '\\\\', '\\\\\\"'].map((each) => `{"log":{"entries":[{"a":"${each === '"' ? '' : each}"}]}}`)])(
  'is not misled by escapes: %s',
  (...texts) => {
    for (const text of texts)
      for (let size = 1; size < 9; size++)
        expect(split(text, size).parts).toEqual(
          JSON.parse(text).log.entries.map((value: unknown) => ({ is: 'entry', value })),
        );
  },
);

test.each([
  '{"log":{"entries":[{}]}',
  '{"log":{"entries":[{"a":"',
  '{"log":{}}',
  '{"log":[]}',
  '{"log":{"entries":{}}}',
])('%s is not a whole archive', (text) => {
  expect(split(text, 5).isComplete).toBe(false);
});
