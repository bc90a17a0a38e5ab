import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { CallIndex } from '@/lib/replay/server/call-index';
import { TrafficReader } from '@/lib/replay/traffic/traffic-reader';
import { answered, asked, framesOf, got } from '@/lib/store/test-frames';
import { FakeClock } from '@/lib/wire/test-clock';
import { REPLAY_APART_MS, REPLAY_FINISH_MS, serveStdio } from './stdio-server';

const call = (id: number, name: string) => asked(id, 'tools/call', { name });

/**
 * Replays these calls, one millisecond per frame; the last frame is `late` ms late. The client calls `names`, then
 * closes its end.
 */
function served(seeds: Parameters<typeof framesOf>[0], names: readonly string[], { pace = 1, late = 0 } = {}) {
  const reader = new TrafficReader();
  const frames = framesOf(seeds);
  for (const frame of frames)
    reader.addFrame(frame === frames.at(-1) ? { ...frame, time: frame.time + late * 1000 } : frame);
  const traffic = reader.traffic();
  const clock = new FakeClock();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const replay = { traffic, calls: new CallIndex(traffic), pace, onMiss: 'error' } as const;
  const done = serveStdio(replay, { clock, printNote: () => {} }, input, output);
  const texts = names.map((name, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } }));
  input.end(`${texts.join('\n')}\n`);
  const said = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  /** Waits until this many timers run, including the one for the end. */
  const waits = (count: number) => expect.poll(() => clock.waiting).toBe(count);
  return { clock, done, said, output, waits };
}

test('a client that closed stdin still gets its answers at the recorded pace', async () => {
  const { clock, done, said, waits } = served(
    [call(1, 'a'), answered(1, 'A'), call(2, 'b'), answered(2, 'B')],
    ['a', 'b'],
  );
  await waits(3);
  await clock.pass(1);
  await done;
  expect(said()).toMatchObject([
    { id: 0, result: 'A' },
    { id: 1, result: 'B' },
  ]);
  expect(clock.waiting).toBe(0);
});

test('an unanswered request of the server does not block the call', async () => {
  const question = got({ jsonrpc: '2.0', id: 7, method: 'elicitation/create', params: {} });
  const { clock, done, said, waits } = served([call(1, 'a'), question, answered(1, 'A')], ['a']);
  await waits(2);
  await clock.pass(2 + REPLAY_APART_MS);
  await done;
  expect(said()).toMatchObject([{ method: 'elicitation/create' }, { id: 0, result: 'A' }]);
});

test('ends for a client that stays silent, and for one that is gone', async () => {
  const calls = [call(1, 'a'), answered(1, 1)];
  const late = REPLAY_FINISH_MS + 10;
  const slow = served(calls, ['a'], { late });
  await slow.waits(2);
  await slow.clock.pass(REPLAY_FINISH_MS);
  await slow.done;
  expect(slow.said()).toEqual([]);
  const gone = served(calls, ['a'], { late });
  gone.output.destroy(new Error('EPIPE'));
  await gone.done;
});

test('an answer keeps its place among the recorded messages and waits a moment after the previous one', async () => {
  const note = (data: string) =>
    got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } });
  const { clock, done, said, waits } = served(
    [call(1, 'a'), note('during'), answered(1, 'A'), note('after'), call(2, 'b'), answered(2, 'B')],
    ['a', 'b'],
    { pace: 0 },
  );
  // The timers of the end and of the answer.
  await waits(2);
  expect(said()).toMatchObject([{ params: { data: 'during' } }]);
  await clock.pass(REPLAY_APART_MS - 1);
  expect(said()).toEqual([]);
  await clock.pass(1);
  expect(said()).toMatchObject([{ id: 0, result: 'A' }, { params: { data: 'after' } }]);
  await clock.pass(REPLAY_APART_MS);
  await done;
  expect(said()).toMatchObject([{ id: 1, result: 'B' }]);
});
