import { expect, test } from 'vitest';
import { CHANNELS, DIRECTIONS } from '@/lib/wire/frame';
import { decodeLine } from './decode-line';
import { encodeFrame, type FrameToRecord } from './encode-lines';
import { RECORDING_VERSION } from './format';
import { readPlainLine } from './plain-line';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const MESSAGE = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi"}]}}';

function frame(text: string, more: Partial<FrameToRecord> = {}): FrameToRecord {
  return {
    time: 1_234_567,
    channel: 'protocol',
    direction: 'to-client',
    flags: 0,
    bytes: encoder.encode(text),
    ...more,
  };
}

const lineOf = (one: FrameToRecord, n = 7) => encodeFrame(n, one).subarray(0, -1);

/** Decodes a line as another program would have written it: with a space in front, so not as a plain one. */
const decodedOtherwise = (line: Uint8Array) =>
  decodeLine(encoder.encode(` ${decoder.decode(line)}`), RECORDING_VERSION);

test('a plain line reads like any other line', () => {
  for (const channel of CHANNELS) {
    for (const direction of DIRECTIONS) {
      const one = frame(MESSAGE, { channel, direction });
      const line = lineOf(one);
      expect(readPlainLine(line)).toEqual({ n: 7, frame: one });
      expect(decodeLine(line, RECORDING_VERSION)).toEqual(decodedOtherwise(line));
    }
  }
});

test.each([
  ['a removed value', '{"jsonrpc":"2.0","id":1,"result":{"key":"[redacted:api-key 1]"}}'],
  ['a removed header', '{"jsonrpc":"2.0","id":1,"result":{"key":"•••"}}'],
  ['text that is not ASCII', '{"jsonrpc":"2.0","id":1,"result":{"key":"ä"}}'],
  ['a long message', `{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(5000)}"}`],
])('%s takes the other way, with the same result', (_, text) => {
  const line = lineOf(frame(text));
  expect(readPlainLine(line)).toBeUndefined();
  expect(decodeLine(line, RECORDING_VERSION)).toEqual(decodedOtherwise(line));
});

test.each([
  ['number 0', `{"n":0,"t":1,"c":"protocol","d":"<","m":${MESSAGE}}`],
  ['a number with a leading zero', `{"n":07,"t":1,"c":"protocol","d":"<","m":${MESSAGE}}`],
  ['no number', `{"n":,"t":1,"c":"protocol","d":"<","m":${MESSAGE}}`],
  ['a number beyond doubles', `{"n":9999999999999999,"t":1,"c":"protocol","d":"<","m":${MESSAGE}}`],
  ['a direction that does not exist', `{"n":7,"t":1,"c":"protocol","d":"=","m":${MESSAGE}}`],
  ['JSON that ends early', `{"n":7,"t":1,"c":"protocol","d":"<","m":${MESSAGE.slice(0, -1)}}`],
  ['a line that was cut off', `{"n":7,"t":1,"c":"protocol","d":"<","m":${MESSAGE}`],
  ['a second content', `{"n":7,"t":1,"c":"protocol","d":"<","m":{},"m":{}}`],
])('%s makes a line that decodes the other way', (_, text) => {
  const line = encoder.encode(text);
  expect(readPlainLine(line)).toBeUndefined();
  const decoded = decodeLine(line, RECORDING_VERSION);
  if (decoded.is === 'frame') expect(decoded).toEqual(decodedOtherwise(line));
  else expect(decoded.is).toBe('damaged');
});
