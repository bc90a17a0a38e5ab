import { expect, test, vi } from 'vitest';

test('adds one listener, however much is to be done, and removes it once nothing is', async () => {
  // Other owners in this process share a listener.
  vi.resetModules();
  const { atExit } = await import('./at-exit');
  const before = process.listeners('exit');
  const works = Array.from({ length: 20 }, () => vi.fn());
  const callOffs = works.map((work) => atExit(work));
  const added = process.listeners('exit').filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  callOffs[3]!();
  added[0]!(0);
  expect(works.map(({ mock }) => mock.calls.length)).toEqual(works.map((_, at) => (at === 3 ? 0 : 1)));
  for (const callOff of callOffs) callOff();
  expect(process.listeners('exit')).toEqual(before);
});
