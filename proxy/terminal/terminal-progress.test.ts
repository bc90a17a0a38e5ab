import { expect, test } from 'vitest';
import { terminalProgress } from './terminal-progress';

test('what takes long says how far it is, and leaves nothing behind', () => {
  let time = 0;
  const written: string[] = [];
  const progress = terminalProgress(
    (text) => written.push(text),
    () => time,
  );
  for (const [at, share] of [
    [10, 0.01],
    [1500, 0.428],
    [1600, 0.5],
    [2600, 0.9],
    [2700, 1],
    [2800, 0.1],
    [2900, 1],
  ] as const) {
    time = at;
    progress(share);
  }
  expect(written).toEqual(['\r\u001b[K42 %', '\r\u001b[K90 %', '\r\u001b[K']);
});
