import { describe, expect, test } from 'vitest';
import { ProcessGroup, WindowsTree } from './process-tree';

/** A group of a fake system. `system`: whether it has members, or an error code. */
function group(system: { error?: string; members?: boolean }): { group: ProcessGroup; kills: [number, unknown][] } {
  const kills: [number, unknown][] = [];
  const kill = (pid: number, signal: NodeJS.Signals | 0): void => {
    kills.push([pid, signal]);
    if (system.error !== undefined) throw Object.assign(new Error(system.error), { code: system.error });
  };
  return { group: new ProcessGroup(4711, kill, () => system.members ?? true), kills };
}

describe('process group', () => {
  test('signals the group without a check while the leader lives', () => {
    const { group: tree, kills } = group({});
    tree.signal('SIGTERM');
    expect(kills).toEqual([[-4711, 'SIGTERM']]);
  });

  test('still signals the rest of the group after the leader’s exit', () => {
    const { group: tree, kills } = group({});
    tree.onLeaderExit();
    tree.signal('SIGKILL');
    expect(kills.at(-1)).toEqual([-4711, 'SIGKILL']);
  });

  test.each(['ESRCH', 'EPERM'])('attack: after %s, a group with the same number is never signalled', (error) => {
    const system: { error?: string } = { error };
    const { group: tree, kills } = group(system);
    tree.onLeaderExit();
    expect(kills).toEqual([[-4711, 0]]);
    system.error = undefined;
    tree.signal('SIGTERM');
    tree.signal('SIGKILL');
    expect(tree.isAlive()).toBe(false);
    expect(kills).toEqual([[-4711, 0]]);
  });

  test('counts a group of zombies as gone', () => {
    const { group: tree } = group({ members: false });
    tree.onLeaderExit();
    expect(tree.isAlive()).toBe(false);
  });

  test.each([0, 1, -5, 1.5, Number.NaN])('refuses the pid %s', (pid) => {
    expect(() => new ProcessGroup(pid)).toThrow(RangeError);
  });
});

test('runs taskkill only while the root of the tree lives', () => {
  const runs: (readonly string[])[] = [];
  const tree = new WindowsTree((args) => runs.push(args));
  tree.signal('SIGTERM');
  tree.signal('SIGKILL');
  expect(runs).toEqual([['/T'], ['/T', '/F']]);
  expect(tree.isAlive()).toBe(true);
  tree.onLeaderExit();
  tree.signal('SIGKILL');
  expect(runs).toHaveLength(2);
  expect(tree.isAlive()).toBe(false);
});
