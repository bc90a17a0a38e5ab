import { expect, test } from 'vitest';
import type { LogState } from '@/lib/store/state/state';
import { firstApp } from './first-app';

const stateOf = (...metas: readonly unknown[]) =>
  ({ tools: { items: metas.map((_meta, at) => ({ key: `tool ${at}`, raw: { _meta } })) } }) as unknown as LogState;

test('finds the first tool that names an app, by the key of today or of the draft before', () => {
  expect(firstApp(stateOf(undefined, {}, { ui: { visibility: ['app'] } }))).toBe(undefined);
  expect(firstApp(stateOf({}, { ui: { resourceUri: 'ui://a' } }, { 'ui/resourceUri': 'ui://b' }))).toBe('tool 1');
  expect(firstApp(stateOf('x', { 'ui/resourceUri': 'ui://b' }))).toBe('tool 1');
});
