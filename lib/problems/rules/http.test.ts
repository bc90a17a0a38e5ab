import { describe, expect, test } from 'vitest';
import { answered, asked, type FrameSeed, happened } from '@/lib/store/test-frames';
import { exchanged, http, inSession, legacy, posted, problemsIn, responded } from '../test-sessions';

const found = (frames: readonly FrameSeed[], rule: string) =>
  problemsIn(frames).filter((problem) => problem.rule === rule);

describe('a result with another status than 200', () => {
  const statusOf = (status: number) => [
    ...legacy({ transport: 'http' }),
    ...posted(9, {}, asked(1, 'ping')),
    ...responded(9, status, { 'content-type': 'application/json' }, answered(1, {})),
  ];

  test.each([
    [200, []],
    [500, ['A result was sent with HTTP 500, expected 200.']],
    [404, ['A result was sent with HTTP 404, expected 200.']],
    [201, ['The request was answered with HTTP 201, expected 200.']],
  ])('%d', (status, problems) => {
    expect(found(statusOf(status), 'http-status').map(({ message }) => message)).toEqual(problems);
  });
});

test('event ids may start again in a new session', () => {
  const stream = (exchange: number) => [
    ...exchanged(exchange, asked(exchange, 'ping'), 1, { session: 1 }),
    http({ kind: 'sse', exchange, id: '0' }),
    answered(exchange, {}),
  ];
  const again = inSession(2, undefined, 20).slice(1);
  const lost = happened({ event: 'session-lost' });
  expect(found([...inSession(1), ...stream(5), lost, ...again, ...stream(6)], 'event-id-repeated')).toEqual([]);
  expect(found([...inSession(1), ...stream(5), ...stream(6)], 'event-id-repeated')).toHaveLength(1);
});

describe('events that clients ignore', () => {
  const streamed = (event: object) => [
    ...legacy({ transport: 'http' }),
    ...posted(9, {}, asked(1, 'ping')),
    http({ kind: 'sse', exchange: 9, ...event }),
  ];
  const data = '{"jsonrpc":"2.0","id":1,"result":{}}';

  test.each<[object, string[]]>([
    [{ event: 'response', data }, ['A message has the event type "response", so clients ignore it.']],
    [
      { data, unfinished: true },
      ['The stream ended before the blank line after `event: message`, so clients ignore it.'],
    ],
    [{ event: 'ping', data: 'now' }, []],
  ])('%j', (event, messages) => {
    expect(found(streamed(event), 'stream-junk').map(({ message }) => message)).toEqual(messages);
  });
});
