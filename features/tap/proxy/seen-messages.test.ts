import { expect, test } from 'vitest';
import { SEEN_BYTES, SeenMessages } from './seen-messages';

function keptOf(lines: readonly string[], chunkBytes: number): readonly string[] {
  const seen = new SeenMessages();
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  for (let at = 0; at < bytes.length; at += chunkBytes) seen.keep('to-server', bytes.subarray(at, at + chunkBytes));
  return [...seen.messages()].map(([, line]) => String(line));
}

test('keeps all lines of a short session, and not the beginning of the next one', () => {
  expect(keptOf(['a', '', 'b'], 2)).toEqual(['a', '', 'b']);
  const seen = new SeenMessages();
  seen.keep('to-client', Buffer.from('{"id":1}\n{"half'));
  expect([...seen.messages()].map(([, line]) => String(line))).toEqual(['{"id":1}']);
});

test.each([1000, 7777, SEEN_BYTES, 10 * SEEN_BYTES])(
  'keeps the first and the newest lines, in chunks of %i bytes',
  (chunk) => {
    const lines = Array.from({ length: 5000 }, (_, at) => `${at} ${'x'.repeat(at % 97)}`);
    const kept = keptOf(lines, chunk);
    const newest = kept.findIndex(
      (line, at) => at > 0 && Number.parseInt(line, 10) !== Number.parseInt(kept[at - 1]!, 10) + 1,
    );
    expect(kept.slice(0, newest)).toEqual(lines.slice(0, newest));
    expect(kept.slice(newest)).toEqual(lines.slice(newest - kept.length));
    const bytes = kept.slice(newest).reduce((sum, line) => sum + line.length + 1, 0);
    expect(bytes).toBeGreaterThan(SEEN_BYTES - 200);
  },
);

test.each([1.5, 1.9, 2])('keeps every line of a session of %d times the size', (times) => {
  const lines = Array.from({ length: Math.floor((times * SEEN_BYTES) / 100) }, (_, at) => `${at} `.padEnd(99, '-'));
  expect(keptOf(lines, 8192)).toEqual(lines);
});
