import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runCommand } from './test-command-line';

test.each([
  [['auth', 'logout'], '`auth logout` needs servers: write `mcp-inspect auth logout URL…`, or `--all`'],
  [['auth', 'logout', 'https://h/mcp', '--all'], 'signs out of every server'],
  [['auth', 'logout', 'https://h/mcp'], 'No sign-in is kept for `https://h/mcp`. `mcp-inspect auth` lists them.'],
  [['auth', 'delete'], 'write `auth list` or `auth logout`, not `delete`'],
])('%j is refused in one sentence', async (argv, sentence) => {
  vi.stubEnv('MCP_INSPECT_HOME', mkdtempSync(join(tmpdir(), 'mcp-inspect-test-')));
  await expect(runCommand(argv)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(sentence) });
  expect((await runCommand(['auth', 'list', '--json'])).stdout).toBe('[]');
});
