import { expect, test } from 'vitest';
import { isApple, keyLabel } from './shortcuts';

const MAC = { platform: 'MacIntel' };
const LINUX = { platform: 'Linux x86_64' };

test.each([
  ['mod+k', '⌘K', 'Ctrl+K'],
  ['mod+enter', '⌘↵', 'Ctrl+↵'],
  ['mod+shift+enter', '⌘⇧↵', 'Ctrl+Shift+↵'],
  ['ctrl+shift+backspace', '⌃⇧⌫', 'Ctrl+Shift+⌫'],
  ['Escape', 'Esc', 'Esc'],
  ['Enter', '↵', '↵'],
  ['g', 'g', 'g'],
])('%s is %s on a Mac and %s elsewhere', (key, mac, other) => {
  expect(keyLabel(key, MAC)).toBe(mac);
  expect(keyLabel(key, LINUX)).toBe(other);
});

test('prefers userAgentData over platform', () => {
  expect(isApple({ platform: 'Win32', userAgentData: { platform: 'macOS' } })).toBe(true);
  expect(isApple({ platform: 'MacIntel', userAgentData: { platform: 'Windows' } })).toBe(false);
  expect(isApple({})).toBe(false);
});
