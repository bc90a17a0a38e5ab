import { expect, test } from 'vitest';
import type { Channel, Direction } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { ProblemFinder } from './problem-finder';

type Step = LifecycleEvent | readonly [Channel | string, Direction, object | string];

const encoder = new TextEncoder();
const HANDSHAKE: readonly Step[] = [
  [
    ...(['protocol', 'to-server'] as const),
    {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    },
  ],
  [
    ...(['protocol', 'to-client'] as const),
    {
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 's', version: '1' },
      },
    },
  ],
  ['protocol', 'to-server', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  { event: 'open', era: 'legacy', version: '2025-11-25' },
];

/** Returns the rules with an error or a warning, and their frames counted after the handshake. */
function problemsOf(...steps: readonly Step[]): readonly (readonly [string, readonly number[]])[] {
  const finder = new ProblemFinder();
  [...HANDSHAKE, ...steps].forEach((step, index) => {
    const [channel, direction, body] = Array.isArray(step) ? step : ['lifecycle', 'to-client', step];
    const bytes = encoder.encode(typeof body === 'string' ? body : JSON.stringify(body));
    finder.addFrame({ seq: index + 1, time: index, channel: channel as Channel, direction, flags: 0, bytes });
  });
  return finder.problems
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, seqs }) => [rule, seqs.map((seq) => seq - HANDSHAKE.length)]);
}

const call: Step = ['protocol', 'to-server', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } }];
const good = { jsonrpc: '2.0', id: 1, result: { content: [] } };
const bad = { jsonrpc: '2.0', id: 1, result: { content: 5 } };
const about = { rule: 'r', method: 'tools/call', id: 1, kind: 'response', direction: 'to-client' } as const;
const asked = { ...about, kind: 'request', direction: 'to-server' } as const;

test('an invalid answer is the fault of the server, without interception', () => {
  expect(problemsOf(call, ['protocol', 'to-client', bad])).toContainEqual([expect.any(String), [2]]);
  expect(problemsOf(call, ['protocol', 'to-client', good], ['protocol', 'to-client', good])).not.toEqual([]);
});

test('blames nobody for an answer that mcp-inspect made', () => {
  expect(
    problemsOf({ event: 'intercepted', ...asked, did: 'result', delivered: 1, withheld: true, made: true }, call, [
      'protocol',
      'to-client',
      bad,
    ]),
  ).toEqual([]);
});

test('blames nobody for copies, and for what a rule put in place of an answer', () => {
  expect(
    problemsOf(
      call,
      { event: 'intercepted', ...about, did: 'duplicate', delivered: 3 },
      ['protocol', 'to-client', good],
      ['protocol', 'to-client', good],
      ['protocol', 'to-client', good],
    ),
  ).toEqual([]);
  expect(
    problemsOf(
      call,
      { event: 'intercepted', ...about, did: 'replace', delivered: 1, original: true },
      ['intercept', 'to-client', good],
      ['protocol', 'to-client', 'junk'],
    ),
  ).toEqual([]);
});

test('checks what the server sent, even if nobody got it', () => {
  const found = problemsOf(
    call,
    { event: 'intercepted', ...about, did: 'drop', delivered: 0, withheld: true, original: true },
    ['intercept', 'to-client', bad],
  );
  expect(found).toContainEqual([expect.any(String), [3]]);
});

test('blames nobody for a response that is sent again because its stream was cut', () => {
  const cut = { event: 'intercepted', ...about, did: 'cut', delivered: 0, withheld: true, original: true } as const;
  expect(problemsOf(call, cut, ['intercept', 'to-client', good], ['protocol', 'to-client', good])).toEqual([]);
});

test('blames nobody for progress that waited, or that mcp-inspect made', () => {
  const progress = (token: number, value: number) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: token, progress: value },
  });
  const tracked: Step = [
    ...(['protocol', 'to-server'] as const),
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', _meta: { progressToken: 9 } } },
  ];
  const note = { ...about, kind: 'notification', method: 'notifications/progress' } as const;
  expect(
    problemsOf(
      { event: 'held', ...asked, hold: 1, bytes: 5 },
      { event: 'intercepted', ...asked, did: 'progress', hold: 1, delivered: 0, made: true },
      ['protocol', 'to-client', progress(9, 0.1)],
      { event: 'intercepted', ...asked, did: 'release', hold: 1, delivered: 1 },
      tracked,
      ['protocol', 'to-client', progress(9, 0)],
      ['protocol', 'to-client', good],
      { event: 'intercepted', ...note, did: 'delay', hold: 2, delivered: 1 },
      ['protocol', 'to-client', progress(9, 1)],
    ),
  ).toEqual([]);
});

test('blames nobody for the cancellation of a request that is still held', () => {
  const cancelled: Step = [
    ...(['protocol', 'to-server'] as const),
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
  ];
  expect(problemsOf({ event: 'held', ...asked, hold: 1, bytes: 9 }, cancelled)).toEqual([]);
  expect(problemsOf(cancelled)).toEqual([['cancel-unknown', [1]]]);
});
