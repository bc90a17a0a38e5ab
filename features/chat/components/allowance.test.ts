import { expect, test } from 'vitest';
import { type ChatSettings, USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import { runsWithoutAsking, withoutAllowance } from './allowance';

const SETTINGS: ChatSettings = { model: 'scripted:a', toolMode: 'native', limits: USUAL_LIMITS, servers: [] };

test('settings without an allowance keep the rest, and each call waits', () => {
  const all: ChatSettings = { ...SETTINGS, allow: { mode: 'all', tools: ['echo'] } };
  expect(runsWithoutAsking(all)).toBe(true);
  expect(withoutAllowance(all)).toEqual(SETTINGS);
  expect(runsWithoutAsking(withoutAllowance(all))).toBe(false);
});

test('an empty allowance lets no call run', () => {
  expect(runsWithoutAsking({ ...SETTINGS, allow: { mode: 'ask', tools: [] } })).toBe(false);
  expect(runsWithoutAsking({ ...SETTINGS, allow: { mode: 'ask', tools: ['echo'] } })).toBe(true);
  expect(runsWithoutAsking({ ...SETTINGS, allow: { mode: 'read-only' } })).toBe(true);
});
