import { expect, test } from 'vitest';
import { cutFrame, cutText, cutValue, joinMessage, messageLength } from './cut-message';

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

/** Cuts the given strings, as written, out of a JSON text. */
function cutOut(json: string, ...written: readonly string[]) {
  let [rest, text] = [json, ''];
  const found = written.map((one) => {
    const at = rest.indexOf(one);
    text += rest.slice(0, at);
    rest = rest.slice(at + one.length);
    return { at: encoder.encode(text).length, bytes: encoder.encode(one) };
  });
  return { text: encoder.encode(text + rest), strings: found, length: encoder.encode(json).length };
}

test.each([
  ['two strings', '{"é":"one","b":["two",1]}', ['one', 'two']],
  ['escapes', '{"a":"l\\n\\u00e9\\"","b":2}', ['l\\n\\u00e9\\"']],
  ['a message without long strings', '{"a":1}', []],
])('has the text and the value of a message with %s', (_, json, written) => {
  const message = cutOut(json, ...written);
  expect(cutText(message)).toBe(json);
  expect(cutValue(message)).toEqual(JSON.parse(json));
  expect(new TextDecoder().decode(joinMessage(message))).toBe(json);
});

test.each([
  ['is a name', cutOut('{"long":1}', 'long')],
  ['is only the end of a string', { ...cutOut('{"a":"\\"long"}', 'long') }],
  ['is under a name that comes again', cutOut('{"a":"long","a":1}', 'long')],
  ['is in invalid JSON', cutOut('{"a":"long"', 'long')],
])('has no value if a long string %s', (_, message) => {
  expect(cutValue(message)).toBeUndefined();
});

test('messages that share a string get the same one, so that it is read once', () => {
  const bytes = encoder.encode('a\\nb'.repeat(50_000));
  const message = (id: number) => {
    const bare = encoder.encode(`{"id":${id},"text":""}`);
    return { text: bare, strings: [{ at: bare.length - 2, bytes }], length: bare.length + bytes.length };
  };
  const values = Array.from({ length: 2000 }, (__, id) => (cutValue(message(id)) as { text: string }).text);
  expect(new Set(values).size).toBe(1);
});
