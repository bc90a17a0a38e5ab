import { expect, test } from 'vitest';
import type { ChatEvent } from '@/features/chat/lib/chat-frame';
import { USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import type { AnswerTurn, UserTurn } from '@/features/chat/lib/chat-state';
import { chatStateOf } from '@/features/chat/lib/event-frames';
import { caseOfTurn } from './case-of-turn';

/** Events of an answer with these calls and their results. */
function turnsOf(calls: readonly (readonly [name: string, tool: string | undefined, result: string])[]) {
  const settings = {
    model: 'scripted:a',
    toolMode: 'native',
    limits: USUAL_LIMITS,
    servers: ['web'],
    system: 'Be brief.',
  } as const;
  const events: ChatEvent[] = [
    { type: 'settings', settings },
    { type: 'user', turn: 't1', parts: [{ type: 'text', text: 'What is new?' }] },
    { type: 'answer', turn: 't2', parent: 't1' },
    { type: 'request', turn: 't2', request: 1, body: '{}', tokens: [], losses: [] },
    ...calls.flatMap(([name, tool, text], at): ChatEvent[] => {
      const [turn, id] = ['t2', `c${at}`];
      return [
        {
          type: 'call',
          turn,
          request: 1,
          call: { type: 'call', id, name, arguments: '{"a":1}' },
          ...(tool && { server: 'web', tool }),
        },
        {
          type: 'result',
          turn,
          call: id,
          result: { type: 'result', id, name, isError: false, parts: [{ type: 'text', text }] },
          milliseconds: 1,
        },
      ];
    }),
  ];
  const state = chatStateOf(
    events.map((event, at) => ({ channel: 'model', bytes: Buffer.from(JSON.stringify(event)), seq: at + 1 })),
  );
  return [state.turns.get('t1') as UserTurn, state.turns.get('t2') as AnswerTurn] as const;
}

test('a case expects the calls of the answer, with the results of those that were made once', () => {
  const calls = [
    ['web__get', 'get', 'news'],
    ['web__twice', 'twice', 'a'],
    ['web__twice', 'twice', 'b'],
  ] as const;
  expect(caseOfTurn(...turnsOf([...calls, ['ghost', undefined, 'no such tool']]))).toEqual({
    name: 'What is new?',
    prompt: 'What is new?',
    system: 'Be brief.',
    servers: ['web'],
    answers: [['web__get', 'news']],
    calls: calls.map(([tool]) => ({ tool, arguments: '{"a":1}' })),
  });
});

test('an answer without a call makes a case without one', () => {
  expect(caseOfTurn(...turnsOf([])).calls).toEqual([]);
});
