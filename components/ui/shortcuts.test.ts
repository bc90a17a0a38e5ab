import { expect, test } from 'vitest';
import { isApple, isSingleKey, keyLabel } from './shortcuts';

const MAC = { platform: 'MacIntel' };
const LINUX = { platform: 'Linux x86_64' };

test.each([
  ['⌘K', '⌘K', 'Ctrl+K'],
  ['mod+k', '⌘K', 'Ctrl+K'],
  ['mod+enter', '⌘↵', 'Ctrl+↵'],
  ['⌘↵', '⌘↵', 'Ctrl+↵'],
  ['Escape', 'Esc', 'Esc'],
  ['Enter', '↵', '↵'],
  ['g', 'g', 'g'],
])('%s is %s on a Mac and %s elsewhere', (key, mac, other) => {
  expect(keyLabel(key, MAC)).toBe(mac);
  expect(keyLabel(key, LINUX)).toBe(other);
});

test('characters are single keys, alone or in a sequence', () => {
  expect(['j', '?', 'g t'].map(isSingleKey)).toEqual([true, true, true]);
  expect(['mod+k', 'Escape', 'End', 'Enter'].map(isSingleKey)).toEqual([false, false, false, false]);
});

test('prefers userAgentData over platform', () => {
  expect(isApple({ platform: 'Win32', userAgentData: { platform: 'macOS' } })).toBe(true);
  expect(isApple({ platform: 'MacIntel', userAgentData: { platform: 'Windows' } })).toBe(false);
  expect(isApple({})).toBe(false);
});
