import { expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import { answered, asked, type FrameSeed, framesOf, got, logOf } from '@/lib/store/test-frames';
import { AnswerGroups, CallBatch, callResult } from './call-batch';

/** A server that answers when told, and the batch that calls it. */
function running(calls: number, jobs: number) {
  const log = new Log('c1');
  const seeds: FrameSeed[] = [];
  const cancelled: unknown[] = [];
  const add = (seed: FrameSeed) => {
    seeds.push(seed);
    log.append(framesOf(seeds));
    log.flush();
    return seeds.length;
  };
  let ids = 0;
  const batch = new CallBatch(
    log,
    { calls, jobs },
    {
      send: async () => add(asked(++ids, 'tools/call', { name: 'echo' })),
      cancel: (id) => {
        cancelled.push(id);
        add(asked(undefined, 'notifications/cancelled', { requestId: id }));
      },
    },
  );
  return { log, batch, cancelled, answer: (id: number, result: unknown = {}) => add(answered(id, result)) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('keeps as many calls in flight as wanted, until all are answered', async () => {
  const { batch, answer } = running(5, 2);
  await settled();
  expect([batch.seqs.length, batch.inFlight, batch.isDone]).toEqual([2, 2, false]);
  for (const id of [2, 1, 3, 4, 5]) {
    answer(id);
    await settled();
  }
  expect([batch.seqs.length, batch.inFlight, batch.isDone]).toEqual([5, 0, true]);
});

test('stopping cancels the calls in flight and sends no more', async () => {
  const { batch, answer, cancelled } = running(5, 2);
  await settled();
  answer(1);
  await settled();
  batch.stop();
  await settled();
  expect(cancelled).toEqual([2, 3]);
  expect([batch.seqs.length, batch.isDone]).toEqual([3, true]);
});

test('a call that is on its way when the batch stops is cancelled once it is in the log', async () => {
  const { batch, cancelled } = running(3, 3);
  batch.stop();
  expect(cancelled).toEqual([]);
  await settled();
  expect(cancelled).toEqual([1, 2, 3]);
  expect(batch.isDone).toBe(true);
});

test('a call that can’t be sent ends the batch', async () => {
  let sent = 0;
  const failure = { code: 'closed', message: 'The connection is closed.', advice: 'Restart it.' };
  const batch = new CallBatch(
    new Log('c1'),
    { calls: 10, jobs: 1 },
    {
      send: async () => {
        sent++;
        throw failure;
      },
      cancel: () => {},
    },
  );
  await settled();
  expect([sent, batch.failure, batch.isDone]).toEqual([1, failure, true]);
});

test('groups equal answers in any spelling, without _meta, errors too', () => {
  const log = logOf(
    ...[1, 2, 3, 4, 5].map((id) => asked(id, 'tools/call')),
    got('{"jsonrpc":"2.0","id":1,"result":{"n":1.0,"m":"a"}}'),
    got('{"jsonrpc":"2.0","id":2,"result":{"m":"\\u0061","n":1,"_meta":{"at":2}}}'),
    answered(3, { n: 2 }),
    got({ jsonrpc: '2.0', id: 4, error: { code: 1, message: 'no' } }),
  );
  const groups = new AnswerGroups(log);
  expect(groups.update([1, 2, 3, 4, 5])).toEqual([
    { seqs: [1, 2], answer: 6 },
    { seqs: [3], answer: 8 },
    { seqs: [4], answer: 9 },
  ]);
  const long = 'x'.repeat(10_000);
  const longer = logOf(
    ...[1, 2, 3].map((id) => asked(id, 'tools/call')),
    ...[`${long}a`, `${long}a`, `${long}b`].map((text, index) => answered(index + 1, { text })),
  );
  expect(new AnswerGroups(longer).update([1, 2, 3]).map(({ seqs }) => seqs)).toEqual([[1, 2], [3]]);
});

test('knows calls that ask for input', () => {
  const log = logOf(asked(1, 'tools/call'), answered(1, { resultType: 'input_required' }));
  const groups = new AnswerGroups(log);
  groups.update([1]);
  expect(callResult(log.exchange(1), groups.asksForInput(1))).toBe('input');
  expect(callResult(undefined, false)).toBe('pending');
});
