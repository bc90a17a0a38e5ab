import { expect, test } from 'vitest';
import type { JsonObject } from '@/lib/json/value';
import { ALL_CAPABILITIES, type ClientCapabilities, SUPPORTED_CAPABILITIES } from '@/lib/wire/client-capabilities';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { capabilitiesFor } from './declared-capabilities';

const SAMPLING = { context: {}, tools: {} };

test.each<[string, JsonObject]>([
  ['2024-11-05', { roots: { listChanged: true }, sampling: {} }],
  ['2025-06-18', { roots: { listChanged: true }, sampling: {}, elicitation: {} }],
  ['2025-11-25', { roots: { listChanged: true }, sampling: SAMPLING, elicitation: { form: {}, url: {} } }],
  ['2026-07-28', { roots: {}, sampling: SAMPLING, elicitation: { form: {}, url: {} } }],
])('what is supported without tasks and extensions is declared in %s as %j', (version, capabilities) => {
  const { tasks: _, extensions: __, ...supported } = SUPPORTED_CAPABILITIES;
  expect(capabilitiesFor(supported, version)).toEqual(capabilities);
});

test.each<[ClientCapabilities, string, JsonObject]>([
  [{}, '2026-07-28', {}],
  [{ elicitation: { form: {} } }, '2025-11-25', { elicitation: { form: {} } }],
  [{ elicitation: { url: {} } }, '2025-11-25', { elicitation: { url: {} } }],
  [{ elicitation: { url: {} } }, '2025-06-18', {}],
  [{ sampling: { tools: {} } }, '2025-03-26', { sampling: {} }],
])('%j in %s declares %j', (declared, version, capabilities) => {
  expect(capabilitiesFor(declared, version)).toEqual(capabilities);
});

test('extensions are declared in every version, that for tasks in the modern era only, and tasks in the version that has them', () => {
  const { tasks } = ALL_CAPABILITIES;
  const { [EXTENSION.tasks]: _, ...extensions } = ALL_CAPABILITIES.extensions!;
  expect(capabilitiesFor(ALL_CAPABILITIES, '2025-06-18')).toEqual({
    roots: { listChanged: true },
    sampling: {},
    elicitation: {},
    extensions,
  });
  expect(capabilitiesFor(ALL_CAPABILITIES, '2025-11-25')).toMatchObject({ tasks, extensions });
  expect(capabilitiesFor(SUPPORTED_CAPABILITIES, '2025-11-25')).not.toHaveProperty('extensions');
  expect(capabilitiesFor(ALL_CAPABILITIES, '2026-07-28')).toMatchObject({ extensions: ALL_CAPABILITIES.extensions });
  expect(capabilitiesFor(ALL_CAPABILITIES, '2026-07-28')).not.toHaveProperty('tasks');
  expect(capabilitiesFor({ elicitation: {}, experimental: { x: {} } }, '2025-11-25')).toEqual({
    elicitation: {},
    experimental: { x: {} },
  });
});
