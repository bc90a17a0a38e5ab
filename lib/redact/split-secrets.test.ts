import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FLAG } from '@/lib/wire/frame';
import { CaptureRedactor } from './capture-redactor';
import { plantedFrame } from './test-plant';

const VALUE = 'sk_own_51HxQpR+abc/Zk9uTtW3vQe7=';

/** Returns the recorded text of one line that arrived in these pieces. */
function written(...pieces: readonly string[]): readonly string[] {
  const redactor = new CaptureRedactor([VALUE]);
  return pieces.map((piece, at) => {
    const flags = at === pieces.length - 1 ? 0 : FLAG.continued;
    const { bytes } = redactor.apply({ ...plantedFrame(piece, 'stderr'), flags });
    return new TextDecoder().decode(bytes).replace(/:\w{8}\]/g, ']');
  });
}

test('removes a value from both pieces of a line, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: VALUE.length - 1 }), (cut) => {
      const [first, second] = written(`key ${VALUE.slice(0, cut)}`, `${VALUE.slice(cut)} ok`);
      expect(second).toBe('[redacted:given] ok');
      // A short piece may be anything.
      expect(first).toBe(cut < 8 ? `key ${VALUE.slice(0, cut)}` : 'key [redacted:given]');
    }),
  );
});

test('removes a value from three pieces of a line', () => {
  const pieces = [`key ${VALUE.slice(0, 10)}`, VALUE.slice(10, 20), `${VALUE.slice(20)} ok`];
  expect(written(...pieces)).toEqual(['key [redacted:given]', '[redacted:given]', '[redacted:given] ok']);
});

test('removes the end of a token that a server cuts, wherever that is', () => {
  const token = `ghp_${'aB3dE6gH9j'.repeat(3)}aB3dE6`;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: token.length - 1 }), (cut) => {
      const [, second] = written(`key ${token.slice(0, cut)}`, `${token.slice(cut)} ok`);
      expect(second).toMatch(/^\[redacted:[\w-]+\] ok$/);
    }),
  );
});

test.each([
  ['password=hunter2', 'xyz more'],
  ['password=', 'hunter2xyz more'],
  ['pass', 'word=hunter2xyz more'],
])('removes what comes after the cut of %j', (first, second) => {
  expect(written(first, second)[1]).not.toContain(first === 'password=hunter2' ? 'xyz' : 'hunter2xyz');
});

test('looks only at the ends of a large piece without secrets, and masks what is across its cut', () => {
  const redactor = new CaptureRedactor([VALUE]);
  const [first, second] = [
    `${'x '.repeat(2 ** 20)}${VALUE.slice(0, 12)}`,
    `${VALUE.slice(12)} ${'y '.repeat(2 ** 20)}`,
  ].map((text, at) => {
    const frame = { ...plantedFrame(text, 'stderr'), flags: at === 0 ? FLAG.continued : 0 };
    const work = redactor.applyInSlices(frame);
    let step = work.next();
    while (!step.done) step = work.next();
    return new TextDecoder().decode(step.value.bytes);
  });
  expect(first!.slice(-30)).toMatch(/x \[redacted:given:\w{8}\]$/);
  expect(second!.slice(0, 30)).toMatch(/^\[redacted:given:\w{8}\] y/);
});

test('keeps a line that continues with something else', () => {
  expect(written('key sk_own', ' is not given', 'x')).toEqual(['key sk_own', ' is not given', 'x']);
  expect(written('key sk_own')).toEqual(['key sk_own']);
});

test('is not affected by other streams in between', () => {
  const redactor = new CaptureRedactor([VALUE]);
  const said = [
    { ...plantedFrame(`a ${VALUE.slice(0, 12)}`, 'stderr'), flags: FLAG.continued },
    plantedFrame('{"jsonrpc":"2.0","method":"ping"}'),
    plantedFrame(`${VALUE.slice(12)} b`, 'stderr'),
  ].map((frame) => new TextDecoder().decode(redactor.apply(frame).bytes));
  expect(said[1]).toBe('{"jsonrpc":"2.0","method":"ping"}');
  expect(said[2]).toMatch(/^\[redacted:given:\w{8}\] b$/);
});
