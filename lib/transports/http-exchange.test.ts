import { expect, test } from 'vitest';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { nextTask } from '@/lib/wire/in-slices';
import { type ExchangeContext, RunningExchange } from './http-exchange';
import type { HttpResponse } from './http-link';
import { HttpLogger } from './http-tap';

/** An exchange whose response sends `text` and never ends, and the frames that it logs. */
function unended(type: string, text: string) {
  const frames: HttpFrame[] = [];
  let arrived = (): void => {};
  const hasArrived = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(text);
    arrived();
    await new Promise(() => {});
  }
  const sink = {
    nextExchange: () => 1,
    appendFrame: (_channel: string, _direction: string, source: Uint8Array, start: number, end: number) =>
      frames.push(JSON.parse(new TextDecoder().decode(source.subarray(start, end)))),
  } as unknown as ExchangeContext['sink'];
  const link = {} as ExchangeContext['link'];
  const exchange = new RunningExchange({ sink, link, tap: new HttpLogger(sink, { url: 'http://h/', headers: [] }) });
  const answer: HttpResponse = { status: 200, url: 'http://h/', headers: [['content-type', type]], body: body() };
  return { exchange, answer, frames, hasArrived };
}

test.each<[string, string, string, string | undefined]>([
  ['a body', 'application/json', '{"jsonrpc"', '{"jsonrpc"'],
  ['an event', 'text/event-stream', ': hi\n\nevent: message\ndata: {"json', '{"json'],
  ['an event without its empty line', 'text/event-stream', 'data: {}\n', '{}'],
  ['no event', 'text/event-stream', 'data', undefined],
])('logs what came of %s when it is closed before the end', async (_what, type, text, cut) => {
  const { exchange, answer, frames, hasArrived } = unended(type, text);
  void (type === 'text/event-stream' ? exchange.stream(answer, () => {}) : exchange.body(answer));
  await hasArrived;
  exchange.abort();
  const body = { kind: 'body', exchange: 1, bytes: cut?.length, text: cut, cut: true };
  expect(frames.filter(({ kind }) => kind !== 'sse')).toEqual([
    ...(cut === undefined ? [] : [body]),
    { kind: 'end', exchange: 1, by: 'client' },
  ]);
});

test('attack: a chunk of a hundred thousand comments lets others have their turn', async () => {
  const { exchange, answer, frames, hasArrived } = unended('text/event-stream', ': a\n\n'.repeat(100_000));
  let turns = 0;
  const takeTurns = async (): Promise<void> => {
    while (frames.length < 100_000) {
      await nextTask();
      turns++;
    }
  };
  const others = takeTurns();
  void exchange.stream(answer, () => {});
  await Promise.all([hasArrived, others]);
  // In one piece, they would have had two.
  expect(turns).toBeGreaterThan(5);
});
