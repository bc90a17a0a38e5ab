import { expect, onTestFinished, test, vi } from 'vitest';
import { endOnSignals } from './signals';

test('the first Ctrl-C may let the process end by itself; its echo does nothing, another one ends it', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const before = process.listeners('SIGINT');
  const own = () => process.listeners('SIGINT').filter((listener) => !before.includes(listener));
  onTestFinished(() => {
    exit.mockRestore();
    vi.useRealTimers();
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const) {
      process.off(name, process.listeners(name as 'SIGINT').at(-1)!);
    }
  });
  vi.useFakeTimers({ toFake: ['performance'] });
  const interrupt = vi.fn(() => true);
  const shutdown = vi.fn(async () => {});
  endOnSignals({ shutdown, hasServers: () => true, say: () => {}, interrupt, failureCode: 1 });
  const [onInterrupt] = own();
  onInterrupt!('SIGINT');
  onInterrupt!('SIGINT');
  expect(interrupt).toHaveBeenCalledOnce();
  expect(shutdown).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  onInterrupt!('SIGINT');
  expect(shutdown).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(130));
});

test('the returned function ends the servers, then the process', async () => {
  const before = process.eventNames().map((name) => [name, process.listeners(name as 'SIGINT')] as const);
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  onTestFinished(() => {
    exit.mockRestore();
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const) {
      const kept = before.find(([known]) => known === name)?.[1] ?? [];
      for (const listener of process.listeners(name as 'SIGINT')) {
        if (!kept.includes(listener)) process.off(name, listener);
      }
    }
  });
  const said: string[] = [];
  const shutdown = vi.fn(async () => {});
  const fail = endOnSignals({ shutdown, hasServers: () => false, say: (line) => said.push(line), failureCode: 1 });
  fail(new Error('no link'));
  expect(said.join()).toMatch(/^mcp-inspect itself failed: Error: no link/);
  await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(1));
  expect(shutdown).toHaveBeenCalledOnce();
});
