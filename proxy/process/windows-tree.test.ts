import { expect, test } from 'vitest';
import { WindowsTree } from './windows-tree';

test('taskkill walks the tree while its root lives, and is never run after', () => {
  const runs: (readonly string[])[] = [];
  const tree = new WindowsTree((args) => runs.push(args));
  tree.signal('SIGTERM');
  tree.signal('SIGKILL');
  expect(runs).toEqual([['/T'], ['/T', '/F']]);
  expect(tree.isAlive()).toBe(true);
  tree.leaderExited();
  tree.signal('SIGKILL');
  expect(runs).toHaveLength(2);
  expect(tree.isAlive()).toBe(false);
});
