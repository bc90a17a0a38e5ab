import { expect, onTestFinished, test, vi } from 'vitest';
import { endOnSignals } from './signals';

/** Returns the listeners of this process, by event. */
function listenersNow() {
  return process.eventNames().map((name) => [name, process.listeners(name as 'SIGINT')] as const);
}

/** Removes the listeners of the process that are not among these. */
function removeOthers(before: ReturnType<typeof listenersNow>): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const) {
    const kept = before.find(([known]) => known === name)?.[1] ?? [];
    for (const listener of process.listeners(name as 'SIGINT')) {
      if (!kept.includes(listener)) process.off(name, listener);
    }
  }
}

test('the first Ctrl-C may let the process end by itself; its echo does nothing, another one ends it', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const before = listenersNow();
  const kept = process.listeners('SIGINT');
  onTestFinished(() => {
    exit.mockRestore();
    vi.useRealTimers();
    removeOthers(before);
  });
  vi.useFakeTimers({ toFake: ['performance'] });
  const interrupt = vi.fn(() => true);
  const shutdown = vi.fn(async () => {});
  endOnSignals({ shutdown, hasServers: () => true, say: () => {}, interrupt, failureCode: 1 });
  const [onInterrupt] = process.listeners('SIGINT').filter((listener) => !kept.includes(listener));
  onInterrupt!('SIGINT');
  onInterrupt!('SIGINT');
  expect(interrupt).toHaveBeenCalledOnce();
  expect(shutdown).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  onInterrupt!('SIGINT');
  expect(shutdown).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(130));
});

test('says what it waits for once a second, and nothing twice in a row', async () => {
  const before = listenersNow();
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  onTestFinished(() => {
    exit.mockRestore();
    vi.useRealTimers();
    removeOthers(before);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const said: string[] = [];
  const waits = ['Waiting for `a`.', 'Waiting for `a`.', 'Writing 5 messages.', undefined];
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const fail = endOnSignals({
    shutdown: () => promise,
    hasServers: () => true,
    waitsFor: () => waits.shift(),
    say: (line) => said.push(line.split('\n')[0]!),
    failureCode: 1,
  });
  fail(new Error('x'));
  for (let second = 0; second < 4; second++) vi.advanceTimersByTime(1000);
  resolve();
  await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(1));
  vi.advanceTimersByTime(5000);
  expect(said.slice(1)).toEqual(['Waiting for `a`.', 'Writing 5 messages.']);
});

test('the returned function ends the servers, then the process', async () => {
  const before = listenersNow();
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  onTestFinished(() => {
    exit.mockRestore();
    removeOthers(before);
  });
  const said: string[] = [];
  const shutdown = vi.fn(async () => {});
  const fail = endOnSignals({ shutdown, hasServers: () => false, say: (line) => said.push(line), failureCode: 1 });
  fail(new Error('no link'));
  expect(said.join()).toMatch(/^mcp-inspect itself failed: Error: no link/);
  await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(1));
  expect(shutdown).toHaveBeenCalledOnce();
});

test.each([
  ['EPIPE', 141, []],
  [
    'ENOSPC',
    70,
    ['mcp-inspect: Could not write to stdout: the disk is full. Make room, or send the output elsewhere.'],
  ],
])('after %s on a stdout that is needed, ends the servers, then the process', async (code, exitCode, sentences) => {
  const before = listenersNow();
  const [onStdout, onStderr] = [process.stdout.listeners('error'), process.stderr.listeners('error')];
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  onTestFinished(() => {
    exit.mockRestore();
    removeOthers(before);
    for (const [stream, kept] of [
      [process.stdout, onStdout],
      [process.stderr, onStderr],
    ] as const) {
      for (const listener of stream.listeners('error')) {
        if (!kept.includes(listener)) stream.off('error', listener as () => void);
      }
    }
  });
  const said: string[] = [];
  const shutdown = vi.fn(async () => {});
  const ending = { shutdown, hasServers: () => true, say: (line: string) => said.push(line), failureCode: 1 };
  endOnSignals({ ...ending, needsStdout: true });
  process.stdout.emit('error', Object.assign(new Error(code), { code }));
  process.stdout.emit('error', Object.assign(new Error(code), { code }));
  await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(exitCode));
  expect(said).toEqual(sentences);
  expect(shutdown).toHaveBeenCalledOnce();
});
