import { expect, test, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '@/lib/wire/settings';
import { BrowserSettings } from './browser-settings';

function memory(kept: Record<string, string> = {}) {
  return {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, text: string) => {
      kept[key] = text;
    },
  };
}

test('keeps settings for the next page', () => {
  const storage = memory();
  new BrowserSettings(() => storage).set({ ...DEFAULT_SETTINGS, theme: 'dark' });
  expect(new BrowserSettings(() => storage).get()).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' });
});

test('tells its listeners at once, but not of equal settings', () => {
  const storage = memory();
  const settings = new BrowserSettings(() => storage);
  const listener = vi.fn();
  const stop = settings.subscribe(listener);
  settings.set({ ...DEFAULT_SETTINGS });
  expect(listener).not.toHaveBeenCalled();
  const before = settings.get();
  settings.set({ ...before, theme: 'dark' });
  expect(listener).toHaveBeenCalledTimes(1);
  expect(settings.get()).not.toBe(before);
  expect(settings.get()).toBe(settings.get());
  stop();
  settings.set(DEFAULT_SETTINGS);
  expect(listener).toHaveBeenCalledTimes(1);
});

test('reads what another tab changed', () => {
  const storage = memory();
  const [one, two] = [new BrowserSettings(() => storage), new BrowserSettings(() => storage)];
  expect(one.get().density).toBe('comfortable');
  two.set({ ...DEFAULT_SETTINGS, density: 'compact' });
  one.readAgain();
  const seen = one.get();
  expect(seen.density).toBe('compact');
  one.readAgain();
  expect(one.get()).toBe(seen);
});

test.each(['', 'not JSON', '7', '{"theme":"blue"}'])('starts with the defaults if it holds %j', (text) => {
  const settings = new BrowserSettings(() => memory({ 'mcp-inspect.settings': text }));
  expect(settings.get()).toEqual(DEFAULT_SETTINGS);
});

test('keeps settings in memory if storage is forbidden', () => {
  const settings = new BrowserSettings(() => {
    throw new Error('forbidden');
  });
  expect(settings.get()).toEqual(DEFAULT_SETTINGS);
  settings.set({ ...DEFAULT_SETTINGS, theme: 'light' });
  expect(settings.get().theme).toBe('light');
});
