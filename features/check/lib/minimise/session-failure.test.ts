import { expect, test } from 'vitest';
import type { Channel, Direction, Frame } from '@/lib/wire/frame';
import { FailureWatch, failureText, type SessionFailure, SessionFailureReader } from './session-failure';

const encoder = new TextEncoder();

/** Makes frames of messages, lifecycle events and lines of stderr, numbered from 1. */
function framesOf(...given: readonly (readonly [Channel, Direction, unknown])[]): readonly Frame[] {
  return given.map(([channel, direction, content], at) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return { seq: at + 1, time: at, channel, direction, flags: 0, bytes: encoder.encode(text) };
  });
}

const event = (content: object) => ['lifecycle', 'to-client', content] as const;
const answer = (content: object) => ['protocol', 'to-client', { jsonrpc: '2.0', id: 1, ...content }] as const;
const toolError = (text: string) => answer({ result: { content: [{ type: 'text', text }], isError: true } });
const exit = (code: number | null, signal: string | null = null) => event({ event: 'exit', code, signal });
const closing = event({ event: 'closing', reason: 'user' });

function watched(failure: SessionFailure, frames: readonly Frame[]): number | undefined {
  const watch = new FailureWatch(failure);
  for (const frame of frames) watch.addFrame(frame);
  watch.checkRules();
  return watch.seq;
}

function read(frames: readonly Frame[]) {
  const reader = new SessionFailureReader();
  for (const frame of frames) reader.addFrame(frame);
  return reader.failures().map(({ failure, seq }) => ({ ...failure, seq }));
}

test('checks rules in portions, and nothing after giving up', () => {
  const frames = framesOf(
    ['protocol', 'to-server', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    answer({ result: {} }),
    answer({ result: {} }),
  );
  const failure: SessionFailure = { kind: 'rule', rule: 'second-answer' };
  const whole = watched(failure, frames);
  expect(whole).toBeDefined();
  const watch = new FailureWatch(failure);
  for (const frame of frames) {
    watch.addFrame(frame);
    expect(watch.waitingBytes).toBe(frame.bytes.length);
    watch.checkRules();
    expect(watch.waitingBytes).toBe(0);
  }
  expect(watch.seq).toBe(whole);
  const givenUp = new FailureWatch(failure);
  givenUp.giveUpRules();
  for (const frame of frames) givenUp.addFrame(frame);
  givenUp.checkRules();
  expect([givenUp.waitingBytes, givenUp.seq]).toEqual([0, undefined]);
});

test.each([
  ['an error response', answer({ error: { code: -32000, message: 'no such user' } }), 1],
  ['the data of an error', answer({ error: { code: -32000, message: 'x', data: { why: 'no such user' } } }), 1],
  ['a tool error', toolError('Error: no such user'), 1],
  ['a line of stderr', ['stderr', 'to-client', 'fatal: no such user'] as const, 1],
  ['a good result', answer({ result: { content: [{ type: 'text', text: 'no such user' }] } }), undefined],
  ['a request of ours', ['protocol', 'to-server', { id: 1, error: { message: 'no such user' } }] as const, undefined],
  ['something else', toolError('all fine'), undefined],
])('finds a text in %s', (_, frame, seq) => {
  expect(watched({ kind: 'text', text: 'no such user' }, framesOf(frame))).toBe(seq);
});

test('an error counts as the same although ids and times differ', () => {
  const text = (id: string, time: string) => `no order ${id} at ${time}`;
  const [was, is] = [
    text('0b8e7c1a-52b0-4a53-9c3c-0a9d9f7a1e11', '2026-01-01T10:00:00Z'),
    text('9d2f6a44-8a1c-4f0e-b6a7-2f1c5e3d7b22', '2026-02-02T11:11:11Z'),
  ];
  expect(watched({ kind: 'text', text: was }, framesOf(toolError(is)))).toBe(1);
});

test('tells a crash from an end that we asked for', () => {
  const any: SessionFailure = { kind: 'exit' };
  expect(watched(any, framesOf(exit(0)))).toBe(1);
  expect(watched(any, framesOf(closing, exit(0)))).toBeUndefined();
  expect(watched(any, framesOf(closing, exit(null, 'SIGTERM')))).toBeUndefined();
  expect(watched(any, framesOf(closing, exit(9)))).toBe(2);
  expect(watched({ kind: 'exit', code: 7, signal: null }, framesOf(exit(9)))).toBeUndefined();
  expect(watched({ kind: 'exit', code: null, signal: 'SIGSEGV' }, framesOf(exit(null, 'SIGSEGV')))).toBe(1);
});

test('finds a problem of a rule', () => {
  const frames = framesOf(['protocol', 'to-client', 'not MCP'], answer({ result: {} }));
  const [found] = read(frames).filter(({ kind }) => kind === 'rule');
  expect(found).toBeDefined();
  const { seq, ...failure } = found!;
  expect(watched(failure as SessionFailure, frames)).toBe(seq);
  expect(watched({ kind: 'rule', rule: 'output-mismatch' }, frames)).toBeUndefined();
});

test('reads the worst failure of a recording first', () => {
  const late = event({ event: 'timeout', id: 3, method: 'tools/call', afterMs: 60_000 });
  const frames = framesOf(toolError('bad'), late, exit(3));
  expect(read(frames).map(({ kind, seq }) => [kind, seq])).toMatchObject([
    ['exit', 3],
    ['timeout', 2],
    ['rule', 1],
    ['text', 1],
  ]);
});

test('leaves placeholders of secrets out of an error', () => {
  const [found] = read(framesOf(toolError('no key [redacted:api-key:1f2e3d4c] for this account'))).filter(
    ({ kind }) => kind === 'text',
  );
  expect(found).toMatchObject({ text: ' for this account' });
});

test('describes failures in a sentence', () => {
  expect(failureText({ kind: 'text', text: 'a\nb' })).toBe('the error “a b”');
  expect(failureText({ kind: 'exit', code: null, signal: 'SIGSEGV' })).toBe('an end of the server by SIGSEGV');
  expect(failureText({ kind: 'timeout', ms: 1500 })).toBe('a request without a response for 1.5 s');
});

test('an error of a recording is the same only with its code, or as a tool error', () => {
  const found = (frame: ReturnType<typeof answer>) =>
    read(framesOf(frame)).find(({ kind }) => kind === 'text')! as SessionFailure;
  const refused = (code: number) => answer({ error: { code, message: 'no such user' } });
  const [tool, response] = [found(toolError('no such user')), found(refused(-32602))];
  expect([failureText(tool), failureText(response)]).toEqual([
    'the tool error “no such user”',
    'the error -32602 “no such user”',
  ]);
  const others = [toolError('no such user'), refused(-32602), refused(-32603)];
  const line = ['stderr', 'to-client', 'no such user'] as const;
  const seqs = (failure: SessionFailure) => [...others, line].map((frame) => watched(failure, framesOf(frame)));
  expect(seqs(tool)).toEqual([1, undefined, undefined, undefined]);
  expect(seqs(response)).toEqual([undefined, 1, undefined, undefined]);
});

const PYTHON = (name: string, line: number) => [
  'Traceback (most recent call last):',
  `  File "server.py", line ${line + 90}, in main`,
  `  File "server.py", line ${line}, in ${name}`,
  'KeyError: 1',
];
const NODE = (name: string, line: number) => [
  `TypeError: x is undefined`,
  `    at ${name} (file:///srv/server.mjs:${line}:7)`,
  '    at main (file:///srv/server.mjs:90:1)',
];

test.each([
  ['Python', PYTHON],
  ['Node', NODE],
])('a crash of %s is the same only if its exception was raised at the same place', (_, report) => {
  const crash = (lines: readonly string[]) =>
    framesOf(...lines.map((line) => ['stderr', 'to-client', line] as const), exit(1));
  const [failure] = read(crash(report('pay', 10)));
  expect(failure).toMatchObject({ kind: 'exit', code: 1, place: expect.stringMatching(/server\.(?:py|mjs).*|pay/) });
  const same = (lines: readonly string[]) => watched(failure as SessionFailure, crash(lines)) !== undefined;
  // The source may have more lines by now.
  expect([same(report('pay', 10)), same(report('pay', 14)), same(report('login', 10)), same([])]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
