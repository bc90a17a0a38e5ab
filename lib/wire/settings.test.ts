import { expect, test } from 'vitest';
import { LIMITS } from './limits';
import { DEFAULT_SETTINGS, readSettings, type Settings, settingsIn } from './settings';

test('reads valid settings', () => {
  const all: Settings = {
    theme: 'dark',
    density: 'compact',
    timestamps: 'absolute',
    timeoutMs: 5000,
    confirmDestructive: false,
    unconfirmedServers: ['everything 2.0'],
    singleKeys: false,
  };
  expect(readSettings(all)).toEqual({ settings: all, ignored: [] });
  expect(settingsIn(all)).toEqual(all);
});

test.each([
  ['theme', 'blue'],
  ['density', 7],
  ['timestamps', null],
  ['timeoutMs', 0],
  ['timeoutMs', 1.5],
  ['timeoutMs', LIMITS.requestMaxMs + 1],
  ['confirmDestructive', 'yes'],
  ['unconfirmedServers', 'everything'],
  ['unconfirmedServers', [7]],
  ['unconfirmedServers', ['x'.repeat(LIMITS.callKeyChars + 1)]],
  ['unconfirmedServers', Array.from({ length: LIMITS.unconfirmedServers + 1 }, String)],
  ['singleKeys', 1],
  ['colour', 'red'],
  ['constructor', {}],
])('ignores %s: %j and keeps the others', (name, value) => {
  const content = { [name]: value, ...(name !== 'theme' && { theme: 'light' }) };
  expect(readSettings(content)?.ignored).toEqual([name]);
  expect(settingsIn(content)).toEqual({ ...DEFAULT_SETTINGS, ...(name !== 'theme' && { theme: 'light' }) });
});

test.each([undefined, null, 7, 'dark', []])('finds no settings in %j', (value) => {
  expect(readSettings(value)).toBeUndefined();
  expect(settingsIn(value)).toEqual(DEFAULT_SETTINGS);
});

test('inherits nothing from the prototype', () => {
  expect(settingsIn(JSON.parse('{"__proto__":{"theme":"dark"}}'))).toEqual(DEFAULT_SETTINGS);
});
