import { expect, test } from 'vitest';
import { Log } from '@/lib/store/log';
import type { Channel, Frame } from '@/lib/wire/frame';
import { authorizationIn, MOST_STEPS } from './auth-steps';

const encoder = new TextEncoder();

function seen(frames: readonly (readonly [Channel, unknown])[]) {
  const log = new Log('c');
  log.append(
    frames.map(
      ([channel, value], index): Frame => ({
        seq: index + 1,
        time: index,
        direction: 'to-client',
        channel,
        flags: 0,
        skimOf: undefined,
        bytes: encoder.encode(typeof value === 'string' ? value : JSON.stringify(value)),
      }),
    ),
  );
  return authorizationIn(log);
}

const request = (exchange: number, about?: string) => ({
  kind: 'request',
  exchange,
  method: 'POST',
  url: 'https://as/token',
  headers: [],
  bytes: 1,
  ...(about && { about }),
});

test.each([
  [{ event: 'authorization', phase: 'granted', issuer: 'i', scopes: [], by: 'sign-in', issued: { scheme: 'x' } }],
  [{ event: 'authorization', phase: 'granted', issuer: 'i', scopes: [], by: 'sign-in', issued: 'secret' }],
])('ignores facts about a token that are not sound', (event) => {
  expect(seen([['lifecycle', event]]).token).toEqual({ seq: 1, issuer: 'i', scopes: [], by: 'sign-in', kept: false });
});

test.each([
  ['http', { kind: 'request', exchange: -1, about: 'authorization' }],
  ['http', '{"kind":"request","exchange":1,"about":"authorization"'],
  ['http', { kind: 'response', exchange: 7, status: 401, headers: [] }],
  ['lifecycle', { event: 'auth-callback', parameters: [['one']] }],
  ['lifecycle', { event: 'auth-step', step: {}, phase: 'done' }],
] as const)('skips a frame that is not sound: %s %j', (channel, value) => {
  expect(seen([[channel, value]]).steps).toEqual([]);
});

test('a step without a response waits, and fails when its exchange ends', () => {
  const asked = ['http', request(1, 'authorization')] as const;
  expect(seen([asked]).steps[0]).toMatchObject({ outcome: 'waiting' });
  const end = { kind: 'end', exchange: 1, by: 'failure', code: 'x', message: 'No answer.' };
  expect(seen([asked, ['http', end]]).steps[0]).toMatchObject({ outcome: 'failed', said: 'No answer.' });
});

test.each([
  ['https://a.example/mcp', undefined],
  [
    'https://a.example',
    expect.stringMatching(/^`resource` is "https:\/\/a\.example", expected "https:\/\/a\.example\/mcp"/),
  ],
])('metadata for the resource %j', (resource, said) => {
  const url = 'https://a.example/.well-known/oauth-protected-resource/mcp';
  const frames = [
    { ...request(1, 'authorization'), method: 'GET', url },
    { kind: 'response', exchange: 1, status: 200, headers: [] },
    { kind: 'body', exchange: 1, bytes: 9, text: JSON.stringify({ resource, authorization_servers: [] }) },
  ];
  const [step] = seen(frames.map((frame) => ['http', frame] as const)).steps;
  expect(step).toMatchObject({ kind: 'resource-metadata', outcome: 'ok' });
  expect(step!.said).toEqual(said);
});

test('keeps the newest steps of a server that asks without end', () => {
  const { steps, omitted } = seen(
    Array.from({ length: MOST_STEPS + 5 }, (_, index) => ['http', request(index + 1, 'authorization')]),
  );
  expect([steps.length, omitted, steps[0]!.seq]).toEqual([MOST_STEPS, 5, 6]);
});
