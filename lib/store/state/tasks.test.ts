import { describe, expect, test } from 'vitest';
import { exchangeTimeline, requestOf } from '../exchanges/exchange-timeline';
import type { Log } from '../log';
import { answered, asked, type FrameSeed, framesOf, got, happened, logOf, sent } from '../test-frames';
import { isTaskRunning, TASKS_KEPT } from './tasks';

const legacy = (status: string, more = {}) => ({ taskId: 't1', status, ttl: 60_000, pollInterval: 500, ...more });
const modern = (status: string, more = {}) => ({
  resultType: 'complete',
  taskId: 't1',
  status,
  ttlMs: null,
  pollIntervalMs: 500,
  ...more,
});
const call = (id: number, name = 'slow') => asked(id, 'tools/call', { name, _meta: { progressToken: id }, task: {} });
const get = (id: number) => asked(id, 'tasks/get', { taskId: 't1' });
const refused = (id: unknown, code: number) => got({ jsonrpc: '2.0', id, error: { code, message: 'no' } });
const notified = (method: string, params: object) => got({ jsonrpc: '2.0', method, params });

/** Status, final response and duration of the call in frame 1. */
function shown(log: Log) {
  const { status, responseSeq, durationUs, task } = log.exchange(1)!;
  return { status, responseSeq, durationUs, inline: task?.inline };
}

const RUNNING = { status: 'pending', responseSeq: undefined, durationUs: undefined, inline: false };
const START = [call(1), answered(1, { task: legacy('working') })];
const MODERN_START = [call(1), answered(1, { ...modern('working'), resultType: 'task' })];

describe('a call that starts a task lasts until the task ends', () => {
  test.each<[string, readonly FrameSeed[], object]>([
    ['2025-11-25, running', START, RUNNING],
    ['2026-07-28, running', MODERN_START, RUNNING],
    ['still running after a poll', [...START, get(2), answered(2, legacy('input_required'))], RUNNING],
    [
      'completed, without its result yet',
      [...START, get(2), answered(2, legacy('completed'))],
      { status: 'ok', responseSeq: undefined, durationUs: 3000 },
    ],
    [
      'completed, with its result',
      [
        ...START,
        get(2),
        answered(2, legacy('completed')),
        asked(3, 'tasks/result', { taskId: 't1' }),
        answered(3, { content: [] }),
      ],
      { status: 'ok', responseSeq: 6, durationUs: 5000, inline: false },
    ],
    [
      'a result with isError',
      [...START, asked(3, 'tasks/result', { taskId: 't1' }), answered(3, { content: [], isError: true })],
      { status: 'tool-error', responseSeq: 4 },
    ],
    [
      'failed, with its error',
      [...START, get(2), answered(2, legacy('failed')), asked(3, 'tasks/result', { taskId: 't1' }), refused(3, -32603)],
      { status: 'error', responseSeq: 6 },
    ],
    [
      'an error before the end says nothing',
      [...START, asked(3, 'tasks/result', { taskId: 't1' }), refused(3, -32000)],
      RUNNING,
    ],
    [
      'cancelled',
      [...START, asked(2, 'tasks/cancel', { taskId: 't1' }), answered(2, legacy('cancelled'))],
      { status: 'cancelled', responseSeq: undefined, durationUs: 3000 },
    ],
    [
      'cancelled by a notification',
      [...START, notified('notifications/tasks/status', legacy('cancelled'))],
      { status: 'cancelled', durationUs: 2000 },
    ],
    [
      'modern, with its result inside',
      [...MODERN_START, get(2), answered(2, modern('completed', { result: { content: [] } }))],
      { status: 'ok', responseSeq: 4, durationUs: 3000, inline: true },
    ],
    [
      'modern, with its error inside',
      [...MODERN_START, get(2), answered(2, modern('failed', { error: { code: 1, message: '' } }))],
      { status: 'error', responseSeq: 4, inline: true },
    ],
    [
      'modern, with its result in a notification',
      [...MODERN_START, notified('notifications/tasks', modern('completed', { result: { isError: true } }))],
      { status: 'tool-error', responseSeq: 3, inline: true },
    ],
    [
      'modern, cancelled cooperatively and then completed',
      [
        ...MODERN_START,
        asked(2, 'tasks/cancel', { taskId: 't1' }),
        answered(2, { resultType: 'complete' }),
        get(3),
        answered(3, modern('completed', { result: {} })),
      ],
      { status: 'ok', responseSeq: 6 },
    ],
    [
      'given up by mcp-inspect',
      [...START, happened({ event: 'task', id: 1, taskId: 't1', phase: 'given-up', reason: 'no answer.' })],
      { status: 'lost', responseSeq: undefined },
    ],
    [
      'left by the user',
      [...START, happened({ event: 'task', id: 1, taskId: 't1', phase: 'left', reason: 'you stopped.' })],
      { status: 'cancelled' },
    ],
    ['the connection ended', [...START, happened({ event: 'closed' })], { status: 'lost', responseSeq: undefined }],
    [
      'an end stays the end',
      [
        ...START,
        notified('notifications/tasks/status', legacy('cancelled')),
        notified('notifications/tasks/status', legacy('working')),
        happened({ event: 'closed' }),
      ],
      { status: 'cancelled' },
    ],
  ])('%s', (_what, frames, expected) => {
    const log = logOf(...frames);
    expect(shown(log)).toMatchObject(expected);
    // The result does not depend on how the frames arrive.
    const slow = logOf();
    for (const frame of framesOf(frames)) {
      slow.append([frame]);
      slow.exchange(1);
      expect(slow.state.tasks.running).toBeLessThanOrEqual(1);
    }
    expect(slow.exchange(1)).toEqual(log.exchange(1));
    expect(slow.state.tasks).toEqual(log.state.tasks);
  });

  test.each([
    ['a result with content', { content: [], task: legacy('working') }],
    ['no id', { task: { status: 'working' } }],
    ['an id that is a number', { resultType: 'task', taskId: 7, status: 'working' }],
    ['a task that is text', { task: 't1' }],
  ])('%s starts no task', (_what, result) => {
    const log = logOf(call(1), answered(1, result));
    expect(log.exchange(1)).toMatchObject({ status: 'ok', responseSeq: 2, task: undefined });
    expect(log.state.tasks.all).toEqual([]);
  });

  test('a call that was given up stays so when its task comes late', () => {
    const timeout = happened({ event: 'timeout', id: 1, method: 'tools/call', afterMs: 5 });
    const log = logOf(call(1), timeout, answered(1, { task: legacy('working') }));
    expect(log.exchange(1)).toMatchObject({ status: 'timeout', task: undefined });
  });

  test('progress reaches the call while its task runs', () => {
    const progress = (value: number) => notified('notifications/progress', { progressToken: 1, progress: value });
    const log = logOf(...START, progress(1), notified('notifications/tasks/status', legacy('cancelled')), progress(2));
    expect(log.exchange(1)!.progress).toMatchObject({ progress: 1, count: 1 });
  });

  test('is counted once in the latencies, with its whole duration', () => {
    const end = [get(2), answered(2, legacy('completed')), asked(3, 'tasks/result', { taskId: 't1' })];
    const log = logOf(...START, ...end, answered(3, { content: [] }));
    expect(log.latencies.table().find(({ method }) => method === 'tools/call')).toMatchObject({ count: 1, errors: 0 });
  });

  test('two tasks at once are kept apart', () => {
    const other = { ...legacy('working'), taskId: 't2' };
    const log = logOf(
      ...START,
      call(2, 'other'),
      answered(2, { task: other }),
      get(3),
      answered(3, legacy('cancelled')),
    );
    expect([log.exchange(1)!.status, log.exchange(3)!.status]).toEqual(['cancelled', 'pending']);
    expect(log.state.tasks.all.map(({ taskId, tool }) => `${taskId} ${tool}`)).toEqual(['t1 slow', 't2 other']);
  });
});

describe('the list of tasks', () => {
  test('has what the server said last', () => {
    const log = logOf(
      ...START,
      get(2),
      answered(2, legacy('working', { statusMessage: 'half', ttl: null, pollInterval: 0 })),
    );
    expect(log.state.tasks).toMatchObject({
      running: 1,
      all: [{ call: 1, firstSeq: 2, seq: 4, statusMessage: 'half' }],
    });
    expect(log.state.tasks.all[0]).toMatchObject({ tool: 'slow', ttlMs: null, pollMs: 0, firstAt: 2000, at: 4000 });
    expect(log.state.tasks).toBe(log.state.tasks);
  });

  test('has tasks that somebody else started, and the call of those that are known', () => {
    const listed = { tasks: [legacy('completed'), { ...legacy('working'), taskId: 'foreign' }, 7, { taskId: 1 }] };
    const log = logOf(...START, asked(2, 'tasks/list'), answered(2, listed));
    expect(log.state.tasks.all).toMatchObject([
      { taskId: 't1', status: 'completed', call: 1 },
      { taskId: 'foreign', firstSeq: 4 },
    ]);
    expect(log.exchange(1)!.status).toBe('ok');
  });

  test('is bounded, and drops ended tasks first', () => {
    const tasks = Array.from({ length: TASKS_KEPT }, (_, n) => ({
      taskId: `old ${n}`,
      status: n === 3 ? 'failed' : 'x',
    }));
    const log = logOf(
      asked(1, 'tasks/list'),
      answered(1, { tasks }),
      call(2),
      answered(2, { task: legacy('working') }),
    );
    expect(log.state.tasks.all).toHaveLength(TASKS_KEPT);
    expect(log.state.tasks.all.some(({ taskId }) => taskId === 'old 3')).toBe(false);
    const hostile = { taskId: 'x'.repeat(5000), status: 'y'.repeat(5000) };
    expect(logOf(asked(1, 'tasks/list'), answered(1, { tasks: [hostile] })).state.tasks.all).toEqual([]);
  });

  test('a task is over when the connection is', () => {
    const [task] = logOf(...START, happened({ event: 'closed' })).state.tasks.all;
    expect(isTaskRunning(task!)).toBe(false);
    expect(task).toMatchObject({ status: 'working', lost: true });
  });
});

describe('one exchange in the detail of every frame', () => {
  const asks = got({
    jsonrpc: '2.0',
    id: 'q',
    method: 'elicitation/create',
    params: { message: 'Which?', _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't1' } } },
  });
  const frames = [
    ...START,
    get(2),
    answered(2, legacy('input_required')),
    asked(3, 'tasks/result', { taskId: 't1' }),
    asks,
    asked(9, 'ping'),
    sent({ jsonrpc: '2.0', id: 'q', result: { action: 'accept' } }),
    notified('notifications/tasks/status', legacy('completed')),
    answered(3, { content: [] }),
  ];

  test('lists every step', () => {
    const { parts, tookUs } = exchangeTimeline(logOf(...frames), 1);
    expect(parts.map(({ role, row }) => `${role} ${row.seq}`)).toEqual([
      'request 1',
      'response 2',
      'task 3',
      'told 4',
      'task 5',
      'asked 6',
      'answered 8',
      'notification 9',
      'response 10',
    ]);
    expect(tookUs).toBe(9000);
  });

  test('is found from a poll, its response and a notification', () => {
    const log = logOf(...frames);
    expect([3, 4, 5, 9, 10].map((seq) => requestOf(log, log.row(seq - 1)))).toEqual([1, 1, 1, 1, 1]);
    expect(requestOf(log, log.row(6))).toBe(7);
  });

  test('the question belongs to the call', () => {
    const log = logOf(...frames);
    expect(log.state.inbox.closed).toMatchObject([{ method: 'elicitation/create', calls: [1], status: 'answered' }]);
  });

  test('the row of the call has status and duration of the task', () => {
    const log = logOf(...frames);
    expect(log.row(0)).toMatchObject({ isTask: true, status: 'ok', durationUs: 9000 });
    expect(log.row(1)).toMatchObject({ isTask: false, durationUs: 1000 });
  });
});

test('input that a modern task asks for belongs to the call, and is asked once', () => {
  const question = { method: 'elicitation/create', params: { message: 'Which?' } };
  const wants = (id: number, ...keys: string[]) => {
    const inputRequests = Object.fromEntries(keys.map((key) => [key, question]));
    return [get(id), answered(id, modern('input_required', { inputRequests }))];
  };
  const input = (id: number, step: object) =>
    happened({ event: 'input', id, method: 'tasks/get', ...step } as Parameters<typeof happened>[0]);
  const log = logOf(
    ...MODERN_START,
    ...wants(2, 'a'),
    input(2, { phase: 'asked', keys: ['a'] }),
    ...wants(3, 'a', 'b'),
    input(3, { phase: 'asked', keys: ['b'] }),
    input(2, { phase: 'given', key: 'a' }),
  );
  expect(log.state.inbox.waiting).toMatchObject([{ input: 'b', calls: [1], id: 3 }]);
  expect(log.state.inbox.closed).toMatchObject([{ input: 'a', calls: [1], id: 2, status: 'answered' }]);
  log.append(framesOf([...Array(log.size).fill(got('')), input(3, { phase: 'given-up', reason: 'x' })]).slice(-1));
  expect(log.state.inbox.closed[0]).toMatchObject({ input: 'b', status: 'withdrawn' });
});

test.each(['__defineGetter__', '__lookupGetter__', 'hasOwnProperty', 'constructor'])(
  'an answer to a request with the method %s of a prototype changes no task',
  (method) => {
    const log = logOf(...START, asked(2, method, {}), answered(2, legacy('completed')));
    expect(log.state.tasks.all).toMatchObject([{ taskId: 't1', status: 'working' }]);
  },
);

test('long texts of a task are cut', () => {
  const long = 'x'.repeat(5000);
  const task = { ...legacy(long), statusMessage: long, createdAt: long, lastUpdatedAt: long };
  const [kept] = logOf(call(1), answered(1, { task })).state.tasks.all;
  const texts = [kept?.status, kept?.statusMessage, kept?.createdAt, kept?.lastUpdatedAt];
  expect(texts.map((text) => text?.length)).toEqual([300, 160, 300, 300]);
});
