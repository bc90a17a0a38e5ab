import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { ClientHandlers } from '../answering';
import type { RequestOutcome } from '../requests';
import { open, settled } from '../test-engine';
import { POLL_ERRORS, POLL_LEAST_MS, POLL_MOST_MS, POLL_MS } from './followed-task';
import { FOLLOWED_TASKS, TaskFollower } from './task-follower';
import { TASK_INPUTS } from './task-input';

const LEGACY = { tasks: { cancel: {}, list: {}, requests: { tools: { call: {} } } } };
const MODERN = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const GONE = { code: 'gone', message: 'Gone.', advice: 'Restart.' };

const legacyTask = (status: string, more = {}) => ({
  taskId: 't1',
  status,
  ttl: 60_000,
  pollInterval: 500,
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ...more,
});
const modernTask = (status: string, more = {}) => ({
  resultType: 'complete',
  taskId: 't1',
  status,
  ttlMs: null,
  pollIntervalMs: 500,
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:00Z',
  ...more,
});

/** Follows a task that a call has started. `told` answers the newest request. */
async function following(
  created: JsonObject,
  {
    capabilities = 'task' in created ? LEGACY : MODERN,
    handlers = new Map(),
    endsOnRefusal = false,
  }: { capabilities?: JsonObject; handlers?: ClientHandlers; endsOnRefusal?: boolean } = {},
) {
  const era = 'task' in created ? 'legacy' : 'modern';
  const { engine, host } = await open(era === 'legacy' ? '2025-11-25' : '2026-07-28', handlers);
  const events: LifecycleEvent[] = [];
  const again: string[] = [];
  const refusals: string[] = [];
  let isOpen = true;
  const follower = new TaskFollower({
    engine,
    handlers: () => handlers,
    clock: host.clock,
    isOpen: () => isOpen,
    terms: () => ({ era, capabilities }),
    logEvent: (event) => events.push(event),
  });
  let outcome: RequestOutcome | undefined;
  const ended = follower.outcomeOf(
    'call',
    { kind: 'result', result: created },
    {
      followsTask: true,
      onAgain: (id, method) => again.push(`${method} ${id}`),
      ...(endsOnRefusal && { onTaskRefused: (reason) => void refusals.push(reason) }),
    },
  );
  void ended.then((one) => {
    outcome = one;
  });
  await settled();
  const reply = async (method: string, body: object) => {
    const asked = host.sent.findLast((message) => message.method === method);
    engine.receive(JSON.stringify({ jsonrpc: '2.0', id: asked!.id, ...body }));
    await settled();
  };
  return {
    engine,
    host,
    follower,
    events,
    again,
    refusals,
    reply,
    told: (result: object, method = 'tasks/get') => reply(method, { result }),
    refused: (code: number, method = 'tasks/get') => reply(method, { error: { code, message: 'no' } }),
    notify: async (method: string, params: object) => {
      engine.receive(JSON.stringify({ jsonrpc: '2.0', method, params }));
      await settled();
    },
    /** Methods sent, without the stream. */
    get methods() {
      return host.methods.filter((method) => method !== 'subscriptions/listen');
    },
    get outcome() {
      return outcome;
    },
    close() {
      isOpen = false;
      follower.stop();
    },
  };
}

test('an ordinary result stays the outcome, even with a member named task', async () => {
  const ordinary = { content: [], task: { taskId: 't1', status: 'working' } };
  expect((await following(ordinary)).outcome).toEqual({ kind: 'result', result: ordinary });
});

describe('2025-11-25', () => {
  test('polls by the interval, and fetches the result at the end', async () => {
    const task = await following({ task: legacyTask('working') });
    expect(task.methods).toEqual([]);
    task.host.clock.advance(499);
    expect(task.methods).toEqual([]);
    task.host.clock.advance(1);
    expect(task.host.last).toMatchObject({ method: 'tasks/get', params: { taskId: 't1' } });
    await task.told(legacyTask('working', { pollInterval: 2000 }));
    await task.host.clock.pass(1999);
    expect(task.methods).toEqual(['tasks/get']);
    await task.host.clock.pass(1);
    await task.told(legacyTask('completed'));
    expect(task.methods).toEqual(['tasks/get', 'tasks/get', 'tasks/result']);
    const result = { content: [], isError: true };
    await task.told(result, 'tasks/result');
    expect(task.outcome).toEqual({ kind: 'result', result, heldBy: 'tasks/result' });
    expect(task.again).toEqual(['tasks/get 2', 'tasks/get 3', 'tasks/result 4']);
    expect(task.host.clock.waiting).toBe(0);
  });

  test('asks for the result as soon as input is required, and goes on polling', async () => {
    const task = await following({ task: legacyTask('input_required') });
    expect(task.methods).toEqual(['tasks/result']);
    task.host.clock.advance(500);
    await task.told(legacyTask('input_required'));
    task.host.clock.advance(3_600_000);
    expect(task.methods.filter((method) => method === 'tasks/result')).toHaveLength(1);
    await task.told({ content: [] }, 'tasks/result');
    expect(task.outcome).toMatchObject({ kind: 'result', heldBy: 'tasks/result' });
  });

  test('ends with the error of a failed task', async () => {
    const task = await following({ task: legacyTask('failed') });
    await task.refused(-32603, 'tasks/result');
    expect(task.outcome).toEqual({ kind: 'error', error: { code: -32603, message: 'no' } });
  });

  test('a result that was refused before the end is asked for again', async () => {
    const task = await following({ task: legacyTask('input_required') });
    await task.refused(-32000, 'tasks/result');
    expect(task.outcome).toBeUndefined();
    await task.host.clock.pass(1000);
    await task.told(legacyTask('completed'));
    await task.told({ content: [] }, 'tasks/result');
    expect(task.outcome).toMatchObject({ kind: 'result' });
  });

  test('is cancelled with tasks/cancel, and then refuses the questions that name the task', async () => {
    const handlers: ClientHandlers = new Map([['elicitation/create', () => new Promise<string>(() => {})]]);
    const task = await following({ task: legacyTask('input_required') }, { handlers });
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } };
    task.engine.receive(JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: { _meta } }));
    await settled();
    expect(task.follower.cancel('call')).toBe(true);
    expect(task.host.last).toMatchObject({ method: 'tasks/cancel', params: { taskId: 't1' } });
    await task.told(legacyTask('cancelled'), 'tasks/cancel');
    expect(task.outcome).toEqual({ kind: 'cancelled' });
    expect(task.host.sent.filter(({ id }) => id === 'q')).toMatchObject([{ error: { code: -32603 } }]);
    // The result that was still awaited is given up.
    expect(task.methods).toContain('notifications/cancelled');
    expect(task.follower.cancel('call')).toBe(false);
    expect(task.events).toEqual([]);
  });

  test('a server without tasks.cancel keeps running the task, which is said', async () => {
    const task = await following({ task: legacyTask('working') }, { capabilities: { tasks: {} } });
    task.follower.cancel('call');
    await settled();
    expect(task.methods).toEqual([]);
    expect(task.outcome).toEqual({ kind: 'cancelled' });
    expect(task.events).toMatchObject([{ event: 'task', id: 'call', taskId: 't1', phase: 'left' }]);
  });

  test('a cancellation that the server refuses leaves the task running, until the user stops waiting', async () => {
    const task = await following({ task: legacyTask('working') });
    task.follower.cancel('call');
    await task.refused(-32602, 'tasks/cancel');
    await task.host.clock.pass(0);
    await task.told(legacyTask('working'));
    expect(task.outcome).toBeUndefined();
    task.follower.cancel('call');
    await settled();
    expect(task.outcome).toEqual({ kind: 'cancelled' });
    expect(task.methods.filter((method) => method === 'tasks/cancel')).toHaveLength(1);
  });

  test('a notification brings the next poll forward, but not without bound', async () => {
    const task = await following({ task: legacyTask('working', { pollInterval: 30_000 }) });
    const status = (taskId: string, one = 'completed') =>
      task.notify('notifications/tasks/status', { ...legacyTask(one), taskId });
    await status('other');
    await status('t1', 'working');
    await task.host.clock.pass(1000);
    expect(task.methods).toEqual([]);
    await status('t1');
    await task.host.clock.pass(0);
    expect(task.methods).toEqual(['tasks/get']);
    await task.told(legacyTask('working', { pollInterval: 30_000 }));
    for (let flood = 0; flood < 100; flood++) await status('t1');
    await task.host.clock.pass(POLL_LEAST_MS);
    expect(task.methods).toEqual(['tasks/get', 'tasks/get']);
  });
});

describe('the extension of 2026-07-28', () => {
  const started = (more = {}) => ({ ...modernTask('working', more), resultType: 'task' });

  test('ends with the result inside the response to tasks/get', async () => {
    const task = await following(started());
    await task.host.clock.pass(500);
    await task.told(modernTask('completed', { result: { content: [], n: 1 } }));
    expect(task.outcome).toEqual({ kind: 'result', result: { content: [], n: 1 }, heldBy: 'tasks/get' });
    expect(task.methods).not.toContain('tasks/result');
  });

  test.each([
    [{ error: { code: -32050, message: 'Broken', data: 1 } }, { code: -32050, message: 'Broken', data: 1 }],
    [{}, { code: 0, message: 'The task failed' }],
  ])('ends with the error of a failed task: %j', async (more, error) => {
    const task = await following(started());
    await task.host.clock.pass(500);
    await task.told(modernTask('failed', more));
    expect(task.outcome).toEqual({ kind: 'error', error });
  });

  test('a completed task without a result is given up with a reason', async () => {
    const task = await following(started());
    await task.host.clock.pass(500);
    await task.told(modernTask('completed'));
    expect(task.outcome).toMatchObject({ kind: 'lost', task: { code: 'task-given-up' } });
    expect(task.events).toMatchObject([
      { event: 'task', phase: 'given-up', reason: expect.stringContaining('no result') },
    ]);
  });

  test('asks each input once, and sends the answers exactly as given', async () => {
    const asked: string[] = [];
    const handlers: ClientHandlers = new Map([
      [
        'elicitation/create',
        (_params, { key, id }) => {
          asked.push(`${key} of ${id}`);
          return '{"action":"accept","content":{"n":1.0}}';
        },
      ],
    ]);
    const task = await following(started(), { handlers });
    const question = { method: 'elicitation/create', params: { message: 'Sure?' } };
    const wants = (inputRequests: object) => task.told(modernTask('input_required', { inputRequests }));
    await task.host.clock.pass(500);
    await wants({ a: question, __proto__x: question });
    const update = task.host.texts.find((text) => text.includes('tasks/update'))!;
    expect(update).toContain('"taskId":"t1"');
    expect(update).toContain(
      '"inputResponses":{"a":{"action":"accept","content":{"n":1.0}},"__proto__x":{"action":"accept","content":{"n":1.0}}}',
    );
    await task.told({ resultType: 'complete' }, 'tasks/update');
    await task.host.clock.pass(500);
    await wants({ a: question, b: question });
    expect(asked.map((one) => one.split(' ')[0])).toEqual(['a', '__proto__x', 'b']);
    expect(task.events.filter((event) => event.event === 'input' && event.phase === 'asked')).toMatchObject([
      { method: 'tasks/get', keys: ['a', '__proto__x'] },
      { method: 'tasks/get', keys: ['b'] },
    ]);
  });

  test('input that nobody can give is said, and the task waits or is cancelled', async () => {
    const inputRequests = { a: { method: 'x/unknown' } };
    for (const endsOnRefusal of [false, true]) {
      const task = await following(started(), { endsOnRefusal });
      await task.host.clock.pass(500);
      await task.told(modernTask('input_required', { inputRequests }));
      expect(task.events).toMatchObject([
        { event: 'input', phase: 'asked' },
        { event: 'input', phase: 'given-up', reason: expect.stringContaining('x/unknown') },
      ]);
      expect(task.methods.includes('tasks/cancel')).toBe(endsOnRefusal);
      expect(task.refusals).toHaveLength(endsOnRefusal ? 1 : 0);
    }
  });

  test('a server that never stops asking is not answered for ever', async () => {
    let asked = 0;
    const handlers: ClientHandlers = new Map([['roots/list', () => `{"roots":[],"n":${++asked}}`]]);
    const task = await following(started({ pollIntervalMs: 100 }), { handlers });
    for (let round = 0; round < TASK_INPUTS + 50; round++) {
      await task.host.clock.pass(100);
      await task.told(modernTask('input_required', { inputRequests: { [`k${round}`]: { method: 'roots/list' } } }));
      if (task.methods.at(-1) === 'tasks/update') await task.told({}, 'tasks/update');
      await task.host.clock.pass(100);
    }
    expect(asked).toBe(TASK_INPUTS);
    const reason = `the task asks for more than ${TASK_INPUTS} inputs`;
    expect(task.events.filter((event) => 'phase' in event && event.phase === 'given-up')).toMatchObject([{ reason }]);
  });

  test('a cooperative cancellation is followed until the server ends the task, in whatever way', async () => {
    const task = await following(started());
    task.follower.cancel('call');
    await task.told({ resultType: 'complete' }, 'tasks/cancel');
    await task.host.clock.pass(0);
    await task.told(modernTask('working'));
    expect(task.outcome).toBeUndefined();
    await task.host.clock.pass(500);
    await task.told(modernTask('completed', { result: {} }));
    expect(task.outcome).toEqual({ kind: 'result', result: {}, heldBy: 'tasks/get' });
  });

  test('listens to its tasks on one stream, which ends with the last one', async () => {
    const task = await following(started());
    await task.host.clock.pass(250);
    expect(task.host.last).toMatchObject({
      method: 'subscriptions/listen',
      params: { notifications: { taskIds: ['t1'] } },
    });
    const listen = task.host.last.id;
    await task.notify('notifications/tasks', modernTask('completed', { result: {} }));
    await task.host.clock.pass(0);
    await task.told(modernTask('completed', { result: {} }));
    expect(task.outcome).toMatchObject({ kind: 'result' });
    expect(task.host.last).toMatchObject({ method: 'notifications/cancelled', params: { requestId: listen } });
  });

  test('a server that refuses the stream is not asked again', async () => {
    const task = await following(started());
    await task.host.clock.pass(250);
    await task.refused(-32601, 'subscriptions/listen');
    await task.host.clock.pass(250);
    await task.told(modernTask('completed', { result: {} }));
    void task.follower.outcomeOf('second', { kind: 'result', result: started({ taskId: 't2' }) }, {});
    await task.host.clock.pass(1000);
    expect(task.host.methods.filter((method) => method === 'subscriptions/listen')).toHaveLength(1);
  });
});

describe('a server that behaves badly', () => {
  test.each([
    [0, POLL_MS],
    [-5, POLL_MS],
    [undefined, POLL_MS],
    ['soon', POLL_MS],
    [1, POLL_LEAST_MS],
    [1e12, POLL_MOST_MS],
  ])('a poll interval of %j is taken for %i ms', async (pollInterval, ms) => {
    const task = await following({ task: legacyTask('working', { pollInterval }) });
    await task.host.clock.pass(ms - 1);
    expect(task.methods).toEqual([]);
    await task.host.clock.pass(1);
    expect(task.methods).toEqual(['tasks/get']);
  });

  test('an unknown task is given up with its error', async () => {
    const task = await following({ task: legacyTask('working') });
    await task.host.clock.pass(500);
    await task.refused(-32602);
    expect(task.outcome).toMatchObject({ kind: 'lost', task: { code: 'task-given-up' } });
    expect(task.events).toMatchObject([
      { event: 'task', phase: 'given-up', reason: expect.stringContaining('error -32602: no') },
    ]);
  });

  test('errors make the polls rarer, and in the end the task is given up', async () => {
    const task = await following({ task: legacyTask('working') });
    await task.host.clock.pass(500);
    for (let errors = 1; errors <= POLL_ERRORS; errors++) {
      await task.refused(-32603);
      expect(task.outcome).toBeUndefined();
      await task.host.clock.pass(Math.min(500 * 2 ** errors, POLL_MOST_MS) - 1);
      expect(task.methods).toHaveLength(errors);
      await task.host.clock.pass(1);
    }
    await task.refused(-32603);
    expect(task.outcome).toMatchObject({ kind: 'lost', task: { code: 'task-given-up' } });
    expect(task.events).toMatchObject([{ event: 'task', phase: 'given-up' }]);
  });

  test('an answer without a status counts as an error, and a good one starts over', async () => {
    const task = await following({ task: legacyTask('working') });
    await task.host.clock.pass(500);
    await task.told({ taskId: 7 });
    await task.host.clock.pass(1000);
    await task.told(legacyTask('working'));
    await task.host.clock.pass(500);
    expect(task.methods).toHaveLength(3);
  });

  test('polls that are lost while the connection is open are sent again, for as long as it takes', async () => {
    const task = await following({ task: legacyTask('working') });
    await task.host.clock.pass(500);
    for (let lost = 0; lost < 30; lost++) {
      task.engine.onUnanswered(task.host.last.id, GONE);
      await settled();
      await task.host.clock.pass(POLL_MOST_MS);
    }
    expect(task.outcome).toBeUndefined();
    await task.told(legacyTask('completed'));
    await task.told({ content: [] }, 'tasks/result');
    expect(task.outcome).toMatchObject({ kind: 'result' });
  });

  test('the end of the connection ends its tasks', async () => {
    const task = await following({ task: legacyTask('working') });
    task.close();
    await settled();
    expect(task.outcome).toEqual({ kind: 'lost' });
    expect(task.host.clock.waiting).toBe(0);
    const other = await following({ task: legacyTask('working') });
    other.host.gone = new ConnectionError(GONE);
    await other.host.clock.pass(500);
    expect(other.outcome).toBeUndefined();
  });

  test('two tasks with one id, and too many tasks, are not followed', async () => {
    const task = await following({ task: legacyTask('working') });
    const start = (id: string, taskId: string) =>
      task.follower.outcomeOf(id, { kind: 'result', result: { task: legacyTask('working', { taskId }) } }, {});
    expect(await start('again', 't1')).toMatchObject({ kind: 'result' });
    expect(task.events).toMatchObject([{ event: 'task', id: 'again', phase: 'given-up' }]);
    for (let more = 1; more < FOLLOWED_TASKS; more++) void start(`call ${more}`, `task ${more}`);
    expect(await start('one more', 'other')).toMatchObject({ kind: 'result' });
    expect(task.events.at(-1)).toMatchObject({ id: 'one more', phase: 'given-up' });
  });
});

describe('params of a call that is to run as a task', () => {
  test('get a member for the task, and stay as written otherwise', async () => {
    const { follower } = await following({ task: legacyTask('working') });
    expect(follower.paramsFor('{"name":"a","arguments":{"n":1.0}}', { ttl: 5 })).toBe(
      '{"name":"a","arguments":{"n":1.0},"task":{"ttl":5}}',
    );
    expect(follower.paramsFor(undefined, {})).toBe('{"task":{}}');
  });

  test('are left alone for a modern server, which decides itself', async () => {
    const { follower } = await following({ ...modernTask('working'), resultType: 'task' });
    expect(follower.paramsFor('{"name":"a"}', { ttl: 5 })).toBe('{"name":"a"}');
  });

  test.each([{ tasks: {} }, {}])('are refused for a server with the capabilities %j', async (capabilities) => {
    for (const created of [{ task: legacyTask('working') }, { ...modernTask('working'), resultType: 'task' }]) {
      const { follower } = await following(created, { capabilities });
      expect(() => follower.paramsFor('{}', {})).toThrow(ConnectionError);
    }
  });
});
