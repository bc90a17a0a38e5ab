import { describe, expect, test } from 'vitest';
import { CaptureRedactor } from './capture-redactor';
import { SHAPES } from './shapes';
import { ShareReview } from './share-review';
import { plantedFrame } from './test-plant';

const LENGTH = 100_000;
const UNITS = [
  ...[
    'a',
    'A1b',
    'token',
    'token=',
    '"token":',
    '--token ',
    '?code=',
    '\\u0041',
    '\\',
    '"',
    "'",
    '[',
    '{"a":',
    '{"token":"\\u0041',
  ],
  ...['a@', 'a.', '/home/', '%3D', 'key-', '=', '[redacted:', '-----BEGIN PRIVATE KEY-----', '://a:', 'aa aa1 '],
  ...new Set(SHAPES.flatMap(({ starts: [start] }) => [start!, `${start}-`])),
];

describe('a long text of one thing takes no longer than another: whatever is not linear would not end here', () => {
  test.each(UNITS)('%j', (unit) => {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length));
    for (const frame of [plantedFrame(text), plantedFrame(JSON.stringify({ text }))]) {
      new CaptureRedactor(['some-secret-value-1']).apply(frame);
      const review = new ShareReview();
      review.add(frame);
      expect(review.redaction().apply(frame).bytes.length).toBeGreaterThan(0);
    }
  });
});

test('many values that begin alike, and a text of that beginning', () => {
  const start = 'abc 1'.repeat(20);
  const redactor = new CaptureRedactor(Array.from({ length: 900 }, (_, index) => `${start}${index}`));
  const frame = plantedFrame('abc 1'.repeat(LENGTH / 5));
  expect(redactor.apply(frame)).toBe(frame);
  expect(new TextDecoder().decode(redactor.apply(plantedFrame(`x${start}77 y`)).bytes)).toMatch(
    /^x\[redacted:given:\w{8}\] y$/,
  );
});

test('a server can’t have the structure of later messages taken out', () => {
  const redactor = new CaptureRedactor([]);
  redactor.apply(
    plantedFrame(JSON.stringify({ token: '"jsonrpc":"2.0"', secret: '12345678', password: ',"result":{' })),
  );
  const written = new TextDecoder().decode(
    redactor.apply(plantedFrame('{"jsonrpc":"2.0","id":12345678,"result":{"n":123456789}}')).bytes,
  );
  expect(written).toMatch(/^\{"jsonrpc":"2\.0","id":"\[redacted:secret:\w{8}\]","result":\{"n":123456789\}\}$/);
});

test('names of Object’s own prototype are names', () => {
  const text = '{"__proto__":{"password":"hunter2!"},"constructor":"x","toString":{"hasOwnProperty":1}}';
  const written = new TextDecoder().decode(new CaptureRedactor([]).apply(plantedFrame(text)).bytes);
  expect(written).toMatch(/^\{"__proto__":\{"password":"\[redacted:password:\w{8}\]"\},"constructor":"x"/);
  expect(({} as Record<string, unknown>).password).toBeUndefined();
});
