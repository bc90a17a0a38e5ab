import { expect, test } from 'vitest';
import { ShareReview } from './share-review';
import { plantedFrame } from './test-plant';

const SECRET = 'Kq7vX2mPz9LwR4tBn';
const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test('a frame without findings is still searched for values that were found later', () => {
  const frames = [`copy ${SECRET.slice(0, 8)}`, 'nothing here', `{"api_token":"${SECRET.slice(0, 8)}"}`].map(
    (text, at) => ({ ...plantedFrame(text), seq: at + 1 }),
  );
  const review = new ShareReview();
  for (const frame of frames) review.addFrame(frame);
  const redaction = review.createRedaction();
  const shared = frames.map((frame) => read(redaction.apply(frame).bytes));
  expect(shared[0]).toMatch(/^copy \[redacted:token:\w{8}\]$/);
  expect(shared[1]).toBe('nothing here');
});

test('a frame without findings is still searched for a person’s own text', () => {
  const review = new ShareReview();
  const frame = plantedFrame('made for Acme Corp.');
  review.addFrame(frame);
  const redaction = review.createRedaction({ patterns: [{ literal: 'Acme Corp.' }] });
  expect(read(redaction.apply(frame).bytes)).toMatch(/^made for \[redacted:pattern:\w{8}\]$/);
});

test('masks a long string in every frame that repeats it, and counts each place', () => {
  const text = `${'plain words and more. '.repeat(15_000)}api_key=${SECRET}`;
  const frames = ['a', 'bc', 'def'].map((id, at) => ({ ...plantedFrame(JSON.stringify({ id, text })), seq: at + 1 }));
  const review = new ShareReview();
  for (const frame of frames) review.addFrame(frame);
  expect(review.findings().list).toMatchObject([
    { count: 3, places: [{ seq: 1 }, { seq: 2 }, { seq: 3, path: 'text' }] },
  ]);
  const redaction = review.createRedaction();
  for (const [at, frame] of frames.entries()) {
    const { id, text: shared } = JSON.parse(read(redaction.apply(frame).bytes));
    expect(id).toBe(['a', 'bc', 'def'][at]);
    expect(shared).toMatch(/api_key=\[redacted:[a-z-]+:\w{8}\]$/);
  }
});
