import { expect, test } from 'vitest';
import type { Negotiated } from '@/lib/mcp/handshake';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { undeclaredFor } from './capability-faults';
import type { ServerAnswer } from './server-connection';
import { runAnswered as run } from './test-answers';

const ERROR: ServerAnswer = { kind: 'error', error: { code: -32601, message: 'Method not found' } };

test.each([
  [['list', 'tools'], 'tools'],
  [['list', 'skills'], EXTENSION.skills],
  [['call', 'a', '--args', '{}'], 'tools'],
  [['prompt', 'a'], 'prompts'],
  [['prompt', 'a', '--complete', 'b=c'], 'completions'],
  [['read', 'a:b'], 'resources'],
  [['read', 'directory:a:b'], EXTENSION.skills],
  [['read', 'skill:a'], EXTENSION.skills],
  [['tasks', 'get', '1'], EXTENSION.tasks],
])('%j says that the server does not declare what it needs', async (words, capability) => {
  await expect(run(words, {})).rejects.toThrow(`. The server does not declare \`${capability}\`.`);
});

test('a declared capability is not named', async () => {
  await expect(run(['list', 'tools'], { 'tools/list': ERROR }, { tools: {} })).rejects.toThrow(/Method not found$/);
  await expect(
    run(['list', 'tools'], { 'tools/list': ERROR }, {}, '2026-07-28', { invalidCapabilities: 7 }),
  ).rejects.toThrow(/Method not found$/);
});

test('knows the capabilities of each era', () => {
  const of = (version: string, era: string, capabilities: object) =>
    ({ version, era, capabilities }) as unknown as Negotiated;
  const old = of('2024-11-05', 'legacy', { tasks: {}, resources: {} });
  expect(undeclaredFor('completion/complete', old)).toBeUndefined();
  expect(undeclaredFor('completion/complete', of('2025-06-18', 'legacy', {}))).toBe('completions');
  expect(undeclaredFor('tasks/list', old)).toBeUndefined();
  expect(undeclaredFor('tasks/get', of('2026-07-28', 'modern', { tasks: {} }))).toBe(EXTENSION.tasks);
  expect(undeclaredFor('resources/subscribe', old)).toBe('resources.subscribe');
  expect(undeclaredFor('ping', old)).toBeUndefined();
});
