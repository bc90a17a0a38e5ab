import { expect, test } from 'vitest';
import { answered, asked, type FrameSeed, framesOf, got } from '@/lib/store/test-frames';
import type { HttpFrame } from '@/lib/wire/http-frame';
import { TrafficReader } from './traffic-reader';

const http = (frame: HttpFrame): FrameSeed => ({ ...got(JSON.stringify(frame)), channel: 'http' });
const request = (exchange: number, after?: string): FrameSeed => {
  const headers: [string, string][] = after === undefined ? [] : [['last-event-id', after]];
  return http({ kind: 'request', exchange, method: after === undefined ? 'POST' : 'GET', url: 'u', headers, bytes: 0 });
};
const on = (exchange: number, id: string, seed: FrameSeed) => [http({ kind: 'sse', exchange, id }), seed];
const log = (data: string) => got({ jsonrpc: '2.0', method: 'notifications/message', params: { data } });

function read(...seeds: readonly FrameSeed[]) {
  const reader = new TrafficReader();
  for (const frame of framesOf(seeds)) reader.addFrame(frame);
  return reader.traffic();
}

test('events of a resumed stream belong to the call that it began with', () => {
  const session = read(
    request(1),
    asked(1, 'tools/call', { name: 'a' }),
    ...on(1, 'é', log('first')),
    http({ kind: 'end', exchange: 1, by: 'failure' }),
    request(2),
    asked(2, 'tools/call', { name: 'b' }),
    // As in a header: one character a byte.
    request(3, 'Ã©'),
    ...on(3, 'e2', log('second')),
    http({ kind: 'end', exchange: 3, by: 'server' }),
    request(4, 'e2'),
    ...on(4, 'e3', answered(1, 'one')),
    request(5, 'nowhere'),
    ...on(5, 'x', log('of the newest')),
  );
  const [a, b] = session.sent.filter((message) => message.kind === 'call');
  const data = (call: typeof a) => call!.during.map(({ params, exchange }) => [JSON.parse(params!).data, exchange]);
  expect(data(a)).toEqual([
    ['first', 1],
    ['second', 1],
  ]);
  expect(a!.answer).toMatchObject({ text: '"one"', exchange: 1 });
  expect(data(b)).toEqual([['of the newest', 5]]);
  const cuts = [5, 11].map((seq) => ({ seq, time: seq * 1000 }));
  expect(session.streams.get(1)).toEqual({ primed: false, retryMs: undefined, cuts });
});

test('reads priming, retry and cuts; a stream without ids is not resumable', () => {
  const retry = (exchange: number, ms: number) => http({ kind: 'sse', exchange, retry: ms });
  const { streams } = read(
    request(1),
    http({ kind: 'sse', exchange: 1, comment: 'hello' }),
    retry(1, 500),
    http({ kind: 'sse', exchange: 1, id: 'a', data: '' }),
    retry(1, 900),
    http({ kind: 'end', exchange: 1, by: 'client' }),
    request(2),
    retry(2, 500),
    http({ kind: 'sse', exchange: 2, data: '' }),
    http({ kind: 'end', exchange: 2, by: 'server' }),
  );
  expect([...streams]).toEqual([[1, { primed: true, retryMs: 500, cuts: [] }]]);
});
