import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { ChatEvent } from '@/features/chat/lib/chat-frame';
import { ChatOutput } from './chat-output';
import { ChatTerminal } from './chat-terminal';

/** Returns what a terminal shows of events. */
function shown(...events: readonly ChatEvent[]): string {
  const output = new PassThrough();
  const terminal = new ChatTerminal({ input: new PassThrough(), output, colours: false }, () => {});
  const shows = new ChatOutput(terminal);
  for (const event of events) shows.show(event);
  terminal.close();
  return String(output.read() ?? '');
}

const call = (id: string): ChatEvent => ({
  type: 'call',
  turn: 't',
  request: 1,
  call: { type: 'call', id, name: `s__${id}`, arguments: '{}' },
});
const result = (id: string, text: string, more: { readonly stopped?: true } = {}): ChatEvent => ({
  type: 'result',
  turn: 't',
  call: id,
  milliseconds: 5,
  ...more,
  result: { type: 'result', id, name: `s__${id}`, parts: [{ type: 'text', text }], isError: more.stopped ?? false },
});
const end: ChatEvent = { type: 'end', turn: 't', reason: 'stop' };

test('results of calls that ran side by side say whose they are', () => {
  expect(shown(call('a'), result('a', 'one'))).toBe('← one  5 ms\n');
  const both = shown(
    call('a'),
    call('b'),
    result('b', 'two'),
    result('a', 'one'),
    end,
    call('c'),
    result('c', 'three'),
  );
  expect(both).toBe('← s__b: two  5 ms\n← s__a: one  5 ms\n← three  5 ms\n');
});

test('a call without a result is stopped, and has not failed', () => {
  expect(shown(call('a'), result('a', 'The call has no result.', { stopped: true }))).toBe('← stopped\n');
});

test('a refused key can be typed again', () => {
  const failure = { code: 'unauthorized', message: 'The model refused the key.', advice: 'Check it.' };
  expect(shown({ type: 'end', turn: 't', reason: 'error', failure })).toContain('/key types another key.');
});

test('reasoning and text are on lines of their own', () => {
  const said = (type: 'text' | 'reasoning', text: string): ChatEvent => ({ type, turn: 't', request: 1, text });
  const events = [
    said('reasoning', 'The person '),
    said('reasoning', 'asks.'),
    said('text', 'Let me '),
    said('text', 'look.'),
  ];
  expect(shown(...events, said('reasoning', 'So.'), end)).toBe('The person asks.\nLet me look.\nSo.\n');
});
