import { expect, test } from 'vitest';
import { applyCallChange, type CallChange, type CallsReply, NO_CALLS } from '@/lib/wire/saved-calls';
import { BrowserCalls, type CallStorage, FolderCalls } from './call-store';

function memory(entries: Readonly<Record<string, string>> = {}): CallStorage & { readonly items: Map<string, string> } {
  const items = new Map(Object.entries(entries));
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/** A fake of the proxy's data folder, in memory. */
function folder(calls = new Map<string, CallsReply>()) {
  return {
    kept: calls,
    changes: [] as CallChange[],
    calls: async (key: string) => calls.get(key) ?? NO_CALLS,
    async changeCalls(key: string, change: CallChange) {
      this.changes.push(change);
      const reply = applyCallChange(await this.calls(key), change);
      calls.set(key, reply);
      return reply;
    },
  };
}

const KEPT = JSON.stringify({ saved: [{ name: 'mine', text: '{"a":1}' }], recent: ['{"n":2}', '{"n":1}'] });

test('calls in the browser outlive the page, and calls that another tab saved are kept', async () => {
  const storage = memory();
  const [one, two] = [new BrowserCalls(() => storage), new BrowserCalls(() => storage)];
  await one.change('k', { kind: 'save', name: 'first', text: '{}' });
  await two.change('k', { kind: 'save', name: 'second', text: '{}' });
  await two.change('k', { kind: 'remembers', on: false });
  expect(await one.read('k')).toMatchObject({ saved: [{ name: 'first' }, { name: 'second' }], remembers: false });
  expect(await one.read('__proto__')).toEqual({ saved: [], recent: [], remembers: false });
});

test('leaves nothing in the browser once all calls are removed', async () => {
  const storage = memory({ 'calls:k': KEPT });
  const calls = new BrowserCalls(() => storage);
  await calls.change('k', { kind: 'remove', name: 'mine' });
  await calls.change('k', { kind: 'forget' });
  expect(storage.items.size).toBe(0);
});

test('fails with advice if storage is forbidden or full', async () => {
  const refuse = () => {
    throw new Error('no');
  };
  const failure = { code: 'calls-not-kept', advice: expect.any(String) };
  await expect(new BrowserCalls(refuse).read('k')).rejects.toMatchObject(failure);
  const full = new BrowserCalls(() => ({ ...memory(), setItem: refuse }));
  await expect(full.change('k', { kind: 'remember', text: '{}' })).rejects.toMatchObject(failure);
});

test('moves the browser’s calls to the data folder once, in order', async () => {
  const storage = memory({ 'calls:k': KEPT, 'calls:other': KEPT, 'mcp-inspect.theme': 'dark' });
  const api = folder();
  const calls = new FolderCalls(api, new BrowserCalls(() => storage));
  expect(await calls.read('k')).toEqual({ ...JSON.parse(KEPT), remembers: true });
  expect(api.kept.get('other')).toEqual({ ...JSON.parse(KEPT), remembers: true });
  expect([...storage.items.keys()]).toEqual(['mcp-inspect.theme']);
  const moved = api.changes.length;
  await calls.read('k');
  expect(api.changes).toHaveLength(moved);
});

test('replaces nothing in the data folder when moving', async () => {
  const there: CallsReply = { saved: [{ name: 'mine', text: '{"b":2}' }], recent: ['{"n":1}'], remembers: true };
  const api = folder(new Map([['k', there]]));
  await new FolderCalls(api, new BrowserCalls(() => memory({ 'calls:k': KEPT }))).read('k');
  expect(api.kept.get('k')).toMatchObject({
    saved: [
      { name: 'mine', text: '{"b":2}' },
      { name: 'mine (from the browser)', text: '{"a":1}' },
    ],
    recent: ['{"n":2}', '{"n":1}'],
  });
});

test('moves the setting not to remember too', async () => {
  const storage = memory({ 'calls-off': 'off', 'calls:k': KEPT });
  const api = folder();
  await new FolderCalls(api, new BrowserCalls(() => storage)).read('k');
  expect(api.kept.get('k')).toEqual({ ...JSON.parse(KEPT), remembers: false });
  expect(storage.items.size).toBe(0);
});

test('leaves the browser’s calls alone if the proxy remembers nothing', async () => {
  const storage = memory({ 'calls:k': KEPT });
  const api = folder(new Map([['k', { ...NO_CALLS, off: true }]]));
  await new FolderCalls(api, new BrowserCalls(() => storage)).read('k');
  expect(storage.items.get('calls:k')).toBe(KEPT);
});

test('leaves calls that cannot be moved in the browser', async () => {
  const storage = memory({ 'calls:k': KEPT });
  const api = { ...folder(), changeCalls: () => Promise.reject(new Error('disk full')) };
  expect(await new FolderCalls(api, new BrowserCalls(() => storage)).read('k')).toEqual(NO_CALLS);
  expect(storage.items.get('calls:k')).toBe(KEPT);
});
