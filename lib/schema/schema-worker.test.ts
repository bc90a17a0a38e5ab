import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { type CheckAnswer, type SchemaJob, SchemaWorker, type SchemaWorkerLike } from './schema-worker';

class TestWorker implements SchemaWorkerLike {
  onmessage: SchemaWorkerLike['onmessage'] = null;
  onerror: SchemaWorkerLike['onerror'] = null;
  readonly jobs: SchemaJob[] = [];
  ended = false;
  postMessage(job: SchemaJob) {
    this.jobs.push(job);
  }
  terminate() {
    this.ended = true;
  }
  say(answer: CheckAnswer) {
    this.onmessage?.call(this as any, { data: answer } as MessageEvent);
  }
}

const made: TestWorker[] = [];
const open = () =>
  new SchemaWorker('{}', () => {
    made.push(new TestWorker());
    return made.at(-1)!;
  });
const verdict = (text: string): CheckAnswer => ({
  type: 'verdict',
  verdict: { findings: [{ path: [], text, missing: false }] },
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  made.length = 0;
});

test('sends the schema first, then one job at a time, and only the newest waiting check', async () => {
  const worker = open();
  const checks = ['1', '2', '3'].map((text) => worker.check(text, new Map()));
  expect(made[0]!.jobs).toEqual([]);
  made[0]!.say({ type: 'ready' });
  expect(made[0]!.jobs.map(({ type }) => type)).toEqual(['schema', 'check']);
  made[0]!.say(verdict('first'));
  expect(await checks[0]).toBeUndefined();
  expect(await checks[1]).toBeUndefined();
  expect((await checks[2])?.findings[0]?.text).toBe('first');
});

test('a check that another check of the same text replaces gets its answer', async () => {
  const worker = open();
  const checks = ['1', '1'].map((text) => worker.check(text, new Map()));
  made[0]!.say({ type: 'ready' });
  made[0]!.say(verdict('missing'));
  expect((await checks[0])?.findings[0]?.text).toBe('missing');
  expect((await checks[1])?.findings[0]?.text).toBe('missing');
});

test('terminates the Worker of a slow job, starts a new one, and stops after two', async () => {
  const worker = open();
  for (const round of [0, 1]) {
    const check = worker.check('1', new Map());
    made[round]!.say({ type: 'ready' });
    vi.advanceTimersByTime(LIMITS.schemaWorkMs);
    expect((await check)?.unchecked).toContain('longer than');
    expect(made[round]!.ended).toBe(true);
  }
  expect((await worker.check('1', new Map()))?.unchecked).toContain('longer than');
  expect(made).toHaveLength(2);
});

test('does not count loading time as working time', async () => {
  const worker = open();
  const check = worker.check('1', new Map());
  vi.advanceTimersByTime(60_000);
  made[0]!.say({ type: 'ready' });
  made[0]!.say(verdict('late'));
  expect((await check)?.findings).toHaveLength(1);
});

test('reports why a sample can’t be made, and a Worker that does not load', async () => {
  const worker = open();
  const sample = worker.sample(true);
  made[0]!.say({ type: 'ready' });
  made[0]!.say({ type: 'failed', message: 'dangling' });
  await expect(sample).rejects.toThrow('dangling');
  const other = open();
  const check = other.check('1', new Map());
  made[1]!.onerror?.call(made[1] as any, {} as ErrorEvent);
  expect((await check)?.unchecked).toContain('did not load');
});

test('close answers waiting checks and terminates the Worker', async () => {
  const worker = open();
  const check = worker.check('1', new Map());
  worker.close();
  expect(await check).toBeUndefined();
  expect(made[0]!.ended).toBe(true);
});
