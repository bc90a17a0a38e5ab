import { describe, expect, test } from 'vitest';
import { ProcessGroup, WindowsTree } from './process-tree';

/** A group whose system says what `system` holds: members there, or an error code. */
function group(system: { error?: string; members?: boolean }): { group: ProcessGroup; kills: [number, unknown][] } {
  const kills: [number, unknown][] = [];
  const kill = (pid: number, signal: NodeJS.Signals | 0): void => {
    kills.push([pid, signal]);
    if (system.error !== undefined) throw Object.assign(new Error(system.error), { code: system.error });
  };
  return { group: new ProcessGroup(4711, kill, () => system.members ?? true), kills };
}

describe('process group', () => {
  test('while the leader lives the group is signalled without questions', () => {
    const { group: tree, kills } = group({});
    tree.signal('SIGTERM');
    expect(kills).toEqual([[-4711, 'SIGTERM']]);
  });

  test('after the leader the rest of the group is still signalled', () => {
    const { group: tree, kills } = group({});
    tree.leaderExited();
    tree.signal('SIGKILL');
    expect(kills.at(-1)).toEqual([-4711, 'SIGKILL']);
  });

  test.each(['ESRCH', 'EPERM'])(
    'attack 34: once the system said %s, a group of the same number is never touched',
    (error) => {
      const system: { error?: string } = { error };
      const { group: tree, kills } = group(system);
      tree.leaderExited();
      expect(kills).toEqual([[-4711, 0]]);
      system.error = undefined;
      tree.signal('SIGTERM');
      tree.signal('SIGKILL');
      expect(tree.isAlive()).toBe(false);
      expect(kills).toEqual([[-4711, 0]]);
    },
  );

  test('a group of zombies is gone', () => {
    const { group: tree } = group({ members: false });
    tree.leaderExited();
    expect(tree.isAlive()).toBe(false);
  });

  test.each([0, 1, -5, 1.5, Number.NaN])('pid %s names no group of ours', (pid) => {
    expect(() => new ProcessGroup(pid)).toThrow(RangeError);
  });
});

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
