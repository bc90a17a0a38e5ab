import { expect, test } from 'vitest';
import { CLIENT_FEATURES, type ClientFeature } from '@/lib/wire/client-features';
import type { JsonObject } from '@/lib/wire/message';
import { capabilitiesFor } from './client-capabilities';

test.each<[string, JsonObject]>([
  ['2024-11-05', { roots: { listChanged: true }, sampling: {} }],
  ['2025-06-18', { roots: { listChanged: true }, sampling: {}, elicitation: {} }],
  ['2025-11-25', { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } }],
  ['2026-07-28', { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } }],
])('%s declares what it has words for', (version, capabilities) => {
  expect(capabilitiesFor(CLIENT_FEATURES, version)).toEqual(capabilities);
});

test.each<[ClientFeature[], string, JsonObject]>([
  [[], '2026-07-28', {}],
  [['elicitation'], '2025-11-25', { elicitation: { form: {} } }],
  [['elicitation-url'], '2025-11-25', { elicitation: { url: {} } }],
  [['elicitation-url'], '2025-06-18', {}],
  [['sampling'], '2025-03-26', { sampling: {} }],
])('%j in %s', (features, version, capabilities) => {
  expect(capabilitiesFor(features, version)).toEqual(capabilities);
});
