import { beforeEach, expect, test } from 'vitest';
import { SUPPORTED_CAPABILITIES } from '@/lib/wire/client-capabilities';
import { type ClientHandler, ErrorResponse } from './answering';
import { CLIENT_TASKS, ClientTasks, withTasks } from './client-tasks';

const SAMPLING = 'sampling/createMessage';

/** Reports of the tasks to their host. */
const reports: unknown[] = [];
beforeEach(() => reports.splice(0));

/** Handlers for one method whose answers the test gives. */
function served(handler: ClientHandler, declared = SUPPORTED_CAPABILITIES.tasks!) {
  let made = 0;
  const tasks = new ClientTasks({
    newId: () => `t${++made}`,
    now: () => '2026-01-01T00:00:00.000Z',
    onBusy: (busy) => reports.push(busy),
    onEnded: (task) => reports.push(task),
  });
  const handlers = withTasks(new Map([[SAMPLING, handler]]), declared, tasks);
  const signal = new AbortController().signal;
  return async (method: string, params: unknown): Promise<unknown> =>
    JSON.parse(await handlers.get(method)!(params, { method, id: 1, signal }));
}

const STARTED = {
  taskId: 't1',
  status: 'working',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUpdatedAt: '2026-01-01T00:00:00.000Z',
  ttl: 5000,
  pollInterval: 500,
};

test('a request without a task is answered at once', async () => {
  const ask = served(() => '{"role":"assistant"}');
  expect(await ask(SAMPLING, { messages: [] })).toEqual({ role: 'assistant' });
  expect(await ask('tasks/list', undefined)).toEqual({ tasks: [] });
});

test('a request as a task is answered later, with the exact text of the answer', async () => {
  let answer = (_: string) => {};
  const ask = served(() => new Promise((resolve) => (answer = resolve)));
  expect(await ask(SAMPLING, { task: { ttl: 5000 } })).toEqual({ task: STARTED });
  const result = ask('tasks/result', { taskId: 't1' });
  expect(await ask('tasks/get', { taskId: 't1' })).toEqual(STARTED);
  answer('{"n":9007199254740993}');
  expect(JSON.stringify(await result)).toContain('"io.modelcontextprotocol/related-task":{"taskId":"t1"}');
  expect(await ask('tasks/get', { taskId: 't1' })).toMatchObject({ status: 'completed' });
  expect(await ask('tasks/list', {})).toMatchObject({ tasks: [{ taskId: 't1', status: 'completed' }] });
  expect(reports).toEqual([true, false, { ...STARTED, status: 'completed' }]);
});

test('only declared tasks are started, listed and cancelled', async () => {
  const ask = served(() => '{"role":"assistant"}', { requests: { elicitation: { create: {} } } });
  expect(await ask(SAMPLING, { task: {} })).toEqual({ role: 'assistant' });
  await expect(ask('tasks/list', {})).rejects.toThrow();
  await expect(ask('tasks/cancel', {})).rejects.toThrow();
});

test('a refused task fails with the same error', async () => {
  const ask = served(() => {
    throw new ErrorResponse(-1, 'no');
  });
  await ask(SAMPLING, { task: {} });
  await expect(ask('tasks/result', { taskId: 't1' })).rejects.toMatchObject({ code: -1, message: 'no' });
  expect(await ask('tasks/get', { taskId: 't1' })).toMatchObject({ status: 'failed', statusMessage: 'no', ttl: null });
});

test('a running task can be cancelled once', async () => {
  let signal: AbortSignal | undefined;
  const ask = served((_params, context) => {
    signal = context.signal;
    return new Promise(() => {});
  });
  await ask(SAMPLING, { task: {} });
  const result = expect(ask('tasks/result', { taskId: 't1' })).rejects.toMatchObject({ code: -32603 });
  expect(await ask('tasks/cancel', { taskId: 't1' })).toMatchObject({ status: 'cancelled' });
  await result;
  expect(signal?.aborted).toBe(true);
  await expect(ask('tasks/cancel', { taskId: 't1' })).rejects.toMatchObject({ code: -32602 });
  await expect(ask('tasks/result', { taskId: 't1' })).rejects.toMatchObject({ code: -32603 });
});

test.each([undefined, {}, { taskId: 't2' }, { taskId: 1 }, { taskId: '__proto__' }])(
  'refuses the unknown task %j',
  async (params) => {
    const ask = served(() => '{}');
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      await expect(ask(method, params)).rejects.toMatchObject({ code: -32602 });
    }
  },
);

test('keeps a bounded number of tasks, and forgets only finished ones', async () => {
  let isOver = false;
  const ask = served(() => (isOver ? '{}' : new Promise(() => {})));
  for (let at = 0; at < CLIENT_TASKS; at++) await ask(SAMPLING, { task: {} });
  await expect(ask(SAMPLING, { task: {} })).rejects.toMatchObject({ code: -32603 });
  await ask('tasks/cancel', { taskId: 't7' });
  isOver = true;
  await ask(SAMPLING, { task: {} });
  await expect(ask('tasks/get', { taskId: 't7' })).rejects.toMatchObject({ code: -32602 });
  expect(await ask('tasks/get', { taskId: 't1' })).toMatchObject({ status: 'working' });
});
