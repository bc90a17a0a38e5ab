import { expect, test } from 'vitest';
import { LIMITS } from './limits';
import {
  applyCallChange,
  type CallChange,
  callsKey,
  isCallChange,
  NO_CALLS,
  RECENT_CALLS,
  readKeptCalls,
} from './saved-calls';

const after = (...changes: CallChange[]) => changes.reduce(applyCallChange, NO_CALLS);
const remember = (text: string): CallChange => ({ kind: 'remember', text });
const save = (name: string, text: string): CallChange => ({ kind: 'save', name, text });

test('remembers the last 20 sets, newest first, each once', () => {
  const sent = Array.from({ length: 25 }, (_, n) => remember(`{"n":${n}}`));
  const { recent } = after(...sent, remember('{"n":10}'));
  expect(recent).toHaveLength(RECENT_CALLS);
  expect(recent.slice(0, 3)).toEqual(['{"n":10}', '{"n":24}', '{"n":23}']);
});

test('bounds a key, which is the same in a URL and in JSON', () => {
  const key = callsKey('s'.repeat(2000), 't');
  expect(key).toHaveLength(LIMITS.callKeyChars);
  expect(() => encodeURIComponent(callsKey('\ud800', '\udfff'))).not.toThrow();
});

test('adds nothing while switched off, and deletes only on forget', () => {
  const off = after(remember('{}'), { kind: 'remembers', on: false }, remember('{"later":1}'));
  expect(off).toEqual({ saved: [], recent: ['{}'], remembers: false });
  expect(applyCallChange(off, { kind: 'forget' }).recent).toEqual([]);
  expect(applyCallChange({ ...NO_CALLS, off: true }, remember('{}')).recent).toEqual([]);
});

test('keeps the last arguments saved under a name', () => {
  const calls = after(save('a', '1'), save('b', '2'), save('a', '3'), { kind: 'remove', name: 'nothing' });
  expect(calls.saved).toEqual([
    { name: 'b', text: '2' },
    { name: 'a', text: '3' },
  ]);
  expect(applyCallChange(calls, { kind: 'remove', name: 'b' }).saved).toHaveLength(1);
});

test.each([
  [{ kind: 'remember', text: '' }, true],
  [{ kind: 'save', name: '__proto__', text: '{}' }, true],
  [{ kind: 'forget', more: 1 }, true],
  [{ kind: 'remembers', on: false }, true],
  [{ kind: 'remember', text: 'x'.repeat(LIMITS.keptCallChars + 1) }, false],
  [{ kind: 'remember', text: 7 }, false],
  [{ kind: 'save', name: '', text: '{}' }, false],
  [{ kind: 'save', name: 'n'.repeat(201), text: '{}' }, false],
  [{ kind: 'save', name: 'n' }, false],
  [{ kind: 'remove' }, false],
  [{ kind: 'remembers', on: 'no' }, false],
  [{ kind: 'toString' }, false],
  [{ kind: '__proto__', text: '' }, false],
  [{ kind: ['forget'] }, false],
  [[], false],
  ['forget', false],
  [null, false],
])('%j is a change: %j', (value, is) => {
  expect(isCallChange(value)).toBe(is);
});

test.each(['{', '{"saved":7}', '{"recent":[1,null]}', '[]', '{"saved":[{"name":"a"},{"name":7,"text":""},null]}'])(
  '%s holds no calls',
  (text) => {
    const value = text === '{' ? undefined : JSON.parse(text);
    expect(readKeptCalls(value)).toEqual({ saved: [], recent: [] });
  },
);
