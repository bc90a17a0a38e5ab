import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endRun } from './sweep';

/** A process of a fake system. */
interface Fake {
  pid: number;
  readonly parent?: number;
  readonly group?: number;
  readonly limit?: string;
  readonly environment?: string;
}

const MARK = 'RUN=1';
let world: Fake[];
let kills: [number, unknown][];
/** Called before a file of this process is read. */
let onRead: (pid: number) => void;
let dies: (fake: Fake, signal: unknown) => boolean;

beforeEach(() => {
  kills = [];
  onRead = () => {};
  dies = () => true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    kills.push([pid, signal]);
    world = world.filter((fake) => !(fake.pid === pid || (fake.group ?? fake.pid) === -pid) || !dies(fake, signal));
    return true;
  });
  const readFileSync = (path: string): string => {
    const [, , pid, file] = path.split('/');
    onRead(Number(pid));
    const fake = world.find((one) => one.pid === Number(pid));
    if (fake === undefined) throw new Error('ENOENT');
    const { parent = 1, group = fake.pid, limit = 'unlimited', environment = '' } = fake;
    if (file === 'stat') return `${pid} (a) b) S ${parent} ${group} ${'0 '.repeat(16)}77 0`;
    return file === 'limits' ? `Max file locks            ${limit}            unlimited` : environment;
  };
  const ps = (): string =>
    world
      .map(({ pid, parent = 1, group = pid, environment = '' }) => `${pid} ${parent} ${group} S+ a b ${environment}`)
      .join('\n');
  const modules: Record<string, unknown> = {
    'node:fs': { readdirSync: () => ['self', ...world.map(({ pid }) => String(pid))], readFileSync },
    'node:child_process': { execFileSync: ps },
  };
  vi.spyOn(process, 'getBuiltinModule').mockImplementation((name: string) => modules[name] as never);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Runs the sweep to its end. Resolves with the fake milliseconds that it took. */
async function sweep(groups: readonly number[] = [], platform: NodeJS.Platform = 'linux'): Promise<number> {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
  const begun = performance.now();
  const over = endRun(MARK, '4711', groups);
  await vi.runAllTimersAsync();
  await over;
  return performance.now() - begun;
}

test('ends the processes with a mark, in a group, and their children, and no other', async () => {
  world = [
    { pid: 20, limit: '4711' },
    { pid: 21, environment: `A=1\0${MARK}\0` },
    { pid: 22, group: 9 },
    { pid: 23, parent: 22 },
    { pid: 24, limit: '47110', environment: `X${MARK}\0${MARK}1\0` },
  ];
  await sweep([9]);
  expect(world.map(({ pid }) => pid)).toEqual([24]);
  expect(kills.map(([pid, signal]) => `${signal} ${pid}`).sort()).toEqual(
    [20, 21, 22, 23].map((pid) => `SIGTERM ${pid}`),
  );
});

test('attack: ends a process that shows its environment a moment after its start', async () => {
  let looks = 0;
  world = [{ pid: 20 }];
  onRead = () => {
    if (++looks === 12) world = [{ pid: 20, environment: `${MARK}\0` }];
  };
  await sweep();
  expect(world).toEqual([]);
});

test('attack: ends a process that has replaced itself before any other is read', async () => {
  world = [{ pid: 20 }, { pid: 30, limit: '4711' }];
  dies = (_, signal) => signal === 'SIGKILL';
  onRead = (pid) => {
    if (pid === 20) world.at(-1)!.pid += world.length - 1;
  };
  await sweep();
  expect(world).toEqual([{ pid: 20 }]);
});

test('attack: sends SIGKILL without a pause, to whole groups', async () => {
  world = [
    { pid: 20, limit: '4711', group: 8 },
    { pid: 21, group: 8 },
  ];
  let signals = 0;
  dies = (_, signal) => signal === 'SIGKILL' && ++signals > 100;
  expect(await sweep()).toBeLessThan(1200);
  expect(world).toEqual([]);
});

test.each([
  ['gives up after 5 s', 3_000_000, [{ pid: 20, limit: '4711' }]],
  ['goes on where it got little CPU time', 500_000, []],
])('attack: a process that outlives SIGKILL for 8 s: %s', async (_, system, left) => {
  world = [{ pid: 20, limit: '4711' }];
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system });
  const begun = performance.now();
  dies = (_, signal) => signal === 'SIGKILL' && performance.now() - begun > 8000;
  onRead = () => void vi.advanceTimersByTime(50);
  await sweep();
  expect(world).toEqual(left);
});

test('reads the processes of a Mac from ps', async () => {
  world = [
    { pid: 20, environment: MARK },
    { pid: 21, environment: `${MARK}1` },
    { pid: 22, parent: 20 },
    { pid: 23, group: 9 },
  ];
  await sweep([9], 'darwin');
  expect(world.map(({ pid }) => pid)).toEqual([21]);
});
