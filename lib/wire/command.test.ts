import { expect, test } from 'vitest';
import { type StdioTarget, sameCommand } from './command';

const target: StdioTarget = { transport: 'stdio', command: 'node', args: ['a', 'b'], cwd: '/srv' };

test('sameCommand ignores name, base and variables', () =>
  expect(sameCommand(target, { ...target, name: 'n', base: 'c1', env: { A: '1' } })).toBe(true));

test.each([
  { ...target, command: 'deno' },
  { ...target, args: ['a'] },
  { ...target, args: ['a', 'b', 'c'] },
  { ...target, args: ['b', 'a'] },
  { ...target, cwd: undefined },
  { transport: 'http', url: 'http://127.0.0.1/' } as const,
])('%j is another command', (other) => expect(sameCommand(target, other)).toBe(false));
