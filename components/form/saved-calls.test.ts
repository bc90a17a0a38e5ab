import { expect, test } from 'vitest';
import { type CallStorage, SavedCalls } from './saved-calls';

function memory(): CallStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

test('the last 20 sets, newest first, each once; they survive the page', () => {
  const storage = memory();
  const calls = new SavedCalls(() => storage);
  for (let n = 0; n < 25; n++) calls.remember('server tool', `{"n":${n}}`);
  calls.remember('server tool', '{"n":10}');
  const { recent } = new SavedCalls(() => storage).of('server tool');
  expect(recent).toHaveLength(20);
  expect(recent.slice(0, 3)).toEqual(['{"n":10}', '{"n":24}', '{"n":23}']);
  expect(calls.of('other tool').recent).toEqual([]);
});

test('secrets and files are not kept; nothing is when it is off', () => {
  const storage = memory();
  const calls = new SavedCalls(() => storage);
  calls.remember('k', '{"user":"u","api_key":"s3cr3t"}');
  calls.save('k', 'mine', '{"password":"s3cr3t","n":1.0}');
  calls.remember('k', JSON.stringify({ file: 'x'.repeat(100_000) }));
  expect([...storage.items.values()].join()).not.toContain('s3cr3t');
  expect(calls.of('k').recent).toEqual(['{\n  "user": "u"\n}']);
  calls.setRemembers(false);
  calls.remember('k', '{"later":1}');
  expect(calls.of('k').recent).toHaveLength(1);
});

test('saved calls go out and come in; arguments that are not sent stay so', () => {
  const calls = new SavedCalls(memory);
  calls.save('k', 'big', '{"n": 18446744073709551615, "b": 1}');
  calls.save('k', 'none', ' ');
  calls.save('k', 'big', '{"n": 2}');
  calls.remove('k', 'nothing');
  const file = calls.exported('k');
  const other = new SavedCalls(memory);
  expect(other.import('k', file)).toBe(2);
  expect(other.of('k').saved.map(({ name, text }) => [name, text.replace(/\s/g, '')])).toEqual([
    ['none', ''],
    ['big', '{"n":2}'],
  ]);
  expect(other.import('k', '{"calls":"none"}')).toBeUndefined();
  expect(other.import('k', 'no JSON')).toBeUndefined();
});

test.each(['{', '{"saved":7}', '{"recent":[1,null]}', '[]'])('%s in the storage is nothing', (text) => {
  const storage = memory();
  storage.items.set('calls:k', text);
  expect(new SavedCalls(() => storage).of('k')).toEqual({ saved: [], recent: [] });
});

test('a storage that refuses costs only the reload', () => {
  const calls = new SavedCalls(() => {
    throw new Error('forbidden');
  });
  calls.remember('k', '{}');
  expect(calls.of('k').recent).toEqual(['{}']);
});

test('a secret that a later name hides is not kept', () => {
  const calls = new SavedCalls(() => new Map() as never);
  calls.remember('k', '{"a":{"password":"hunter2"},"a":1}');
  expect(JSON.stringify(calls.of('k'))).not.toContain('hunter2');
  expect(calls.of('k').recent).toHaveLength(1);
});

test('what another tab saved stays', () => {
  const storage = memory();
  const [one, two] = [new SavedCalls(() => storage), new SavedCalls(() => storage)];
  expect(two.of('k').saved).toEqual([]);
  one.save('k', 'first', '{}');
  two.save('k', 'second', '{}');
  expect(one.of('k').saved.map(({ name }) => name)).toEqual(['first', 'second']);
  expect(one.of('k')).toBe(one.of('k'));
});

test('storage that refuses leaves it in memory', () => {
  const full = () => {
    throw new Error('full');
  };
  const calls = new SavedCalls(() => ({ ...memory(), setItem: full }));
  expect(calls.save('k', 'mine', '{}')).toBe(true);
  expect(calls.of('k').saved).toHaveLength(1);
});

test('what is too long is told as not saved', () => {
  const calls = new SavedCalls(memory);
  const long = { file: 'x'.repeat(100_000) };
  expect(calls.save('k', 'long', JSON.stringify(long))).toBe(false);
  expect(calls.import('k', JSON.stringify({ calls: [{ name: 'long', arguments: long }, { name: 'short' }] }))).toBe(1);
});
