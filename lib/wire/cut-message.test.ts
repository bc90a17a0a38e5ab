import { expect, test } from 'vitest';
import { cutFrame, messageLength } from './cut-message';

const encoder = new TextEncoder();
const text = encoder.encode('{"a":"","b":""}');
const strings = [
  { at: 6, bytes: encoder.encode('one') },
  { at: 13, bytes: encoder.encode('two') },
];
const cut = { text, strings, length: text.length + 6 };

test('a cut frame has all its bytes when they are read', () => {
  const frame = cutFrame({ seq: 1 }, cut);
  expect(new TextDecoder().decode(frame.bytes)).toBe('{"a":"one","b":"two"}');
  expect(frame.bytes).toBe(frame.bytes);
  expect(messageLength(frame)).toBe(frame.bytes.length);
});

test('a copy with other bytes does not have the cut message', () => {
  const frame = cutFrame({ seq: 1 }, cut);
  expect({ ...frame, bytes: encoder.encode('{}') }.cut).toBeUndefined();
  expect({ ...frame }.bytes).toEqual(frame.bytes);
  const again = cutFrame(frame, { text: encoder.encode('{}'), strings: [], length: 2 });
  expect([again.seq, again.bytes, messageLength(again)]).toEqual([1, encoder.encode('{}'), 2]);
});
