import { expect, test } from 'vitest';
import { answered, asked, type FrameSeed, got, happened, logOf } from '@/lib/store/test-frames';
import { openingFrame } from './opening-frame';

const never = () => false;
const initialized = [asked(0, 'initialize', {}), answered(0, { serverInfo: { name: 's', version: '1' } })];
const called = (id: number, result: object) => [asked(id, 'tools/call', { name: 'x' }), answered(id, result)];
const fine = { content: [] };
const note = (on: number, bookmark: boolean) => happened({ event: 'note', on, text: bookmark ? '' : 'here', bookmark });

test.each<[string, readonly FrameSeed[], number | undefined]>([
  ['an error', [...initialized, ...called(1, fine), asked(2, 'tools/list'), failure(2), ...called(3, fine)], 6],
  ['isError', [...initialized, ...called(1, { ...fine, isError: true }), asked(2, 'tools/list'), failure(2)], 4],
  [
    'the call that was open at a crash, not an earlier error',
    [
      ...initialized,
      asked(1, 'tools/list'),
      failure(1),
      asked(2, 'tools/call', {}),
      happened({ event: 'exit', code: 1, signal: null }),
    ],
    5,
  ],
  [
    'the call whose task was running at a crash, not a poll of the task',
    [
      ...initialized,
      ...called(1, { task: { taskId: 't', status: 'working', ttl: null } }),
      asked(2, 'tasks/get', { taskId: 't' }),
      happened({ event: 'exit', code: 1, signal: null }),
    ],
    3,
  ],
  [
    'the last call, not a later poll or subscription',
    [...initialized, asked(1, 'prompts/get', {}), asked(2, 'tasks/get', { taskId: 't' }), answered(2, {})],
    3,
  ],
  ['a crash without an open call', [...initialized, happened({ event: 'exit', code: 1, signal: null })], 3],
  [
    'a request without a response, if nothing says why',
    [
      ...initialized,
      asked(1, 'tools/call', {}),
      happened({ event: 'exit', code: 0, signal: null }),
      ...called(2, fine),
    ],
    3,
  ],
  [
    'the newest frame with a note',
    [...initialized, ...called(1, fine), ...called(2, fine), note(5, false), note(2, true)],
    5,
  ],
  [
    'a note rather than an error',
    [...initialized, ...called(1, fine), asked(2, 'tools/list'), failure(2), note(4, true)],
    4,
  ],
  ['no note that was removed', [...initialized, ...called(1, fine), note(2, true), unnoted(2)], 3],
  ['the last call', [...initialized, ...called(1, fine), ...called(2, fine), asked(3, 'tools/list')], 5],
  ['the last tool call, not a later prompt', [...initialized, ...called(1, fine), asked(2, 'prompts/get', {})], 3],
  ['the last request of a person', [...initialized, asked(1, 'prompts/get', {}), asked(2, 'ping')], 3],
  ['nothing', initialized, undefined],
])('opens on %s', (_, frames, seq) => {
  expect(openingFrame(logOf(...frames), never)).toBe(seq);
});

test('opens on an invalid result that comes before an error', () => {
  const log = logOf(...initialized, ...called(1, fine), ...called(2, fine), asked(3, 'tools/list'), failure(3));
  expect(openingFrame(log, (seq) => seq === 6)).toBe(6);
  expect(openingFrame(log, never)).toBe(8);
});

test('opens on an invalid handshake only if nothing else failed', () => {
  const isInvalid = (seq: number) => seq === 2;
  expect(openingFrame(logOf(...initialized, ...called(1, fine)), isInvalid)).toBe(2);
  expect(openingFrame(logOf(...initialized, asked(3, 'tools/list'), failure(3)), isInvalid)).toBe(4);
});

function failure(id: number): FrameSeed {
  return got({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no' } });
}

function unnoted(on: number): FrameSeed {
  return happened({ event: 'note', on, text: '', bookmark: false });
}
