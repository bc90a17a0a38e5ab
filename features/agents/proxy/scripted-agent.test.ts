import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, expect, test, vi } from 'vitest';
import { estimateTokens } from '@/lib/wire/token-estimate';
import { USUAL_TOKENS } from './answer';
import { recordBug, SEEDED_BUGS, type SeededBug } from './test-bugs';
import { connectAgent } from './test-recordings';

const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-agent-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Most calls that the agent may make. */
const MOST_CALLS = 5;

interface Learned {
  readonly calls: number;
  /** The findings that it explained, the first one first. */
  readonly codes: readonly string[];
  readonly explanations: readonly string[];
  readonly tokens: readonly number[];
}

/** Does what the descriptions of the tools say: list, find problems, explain the first ones. */
async function investigate(client: Client): Promise<Learned> {
  const tokens: number[] = [];
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    tokens.push(estimateTokens(result));
    const [block] = result.content as { text: string }[];
    return { text: block!.text, facts: result.structuredContent as any };
  };
  const { facts: listed } = await call('list_recordings', {});
  const { facts: found } = await call('find_problems', { recording: listed.recordings[0].name });
  const codes: string[] = [];
  const explanations: string[] = [];
  const explained = new Set<string>();
  for (const { code, frames } of found.problems) {
    codes.push(code);
    if (tokens.length === MOST_CALLS || explained.has(frames[0])) continue;
    explained.add(frames[0]);
    explanations.push((await call('explain', { frame: frames[0] })).text);
  }
  return { calls: tokens.length, codes: codes.slice(0, 3), explanations, tokens };
}

test.for(SEEDED_BUGS.map((row) => [row.bug, row] as const))('an agent finds %s', async ([bug, row]) => {
  const { code, cause } = row;
  vi.stubEnv('MCP_INSPECT_HOME', join(folder, 'home'));
  const file = join(folder, `${bug}.mcpr.jsonl`);
  await recordBug(row, file);
  const { client, close } = await connectAgent(join(folder, 'none'), [file]);
  const learned = await investigate(client);
  await close();
  expect(learned.codes).toContain(code);
  expect(learned.explanations.join('\n')).toMatch(cause);
  expect(learned.calls).toBeLessThanOrEqual(MOST_CALLS);
  expect(Math.max(...learned.tokens)).toBeLessThanOrEqual(USUAL_TOKENS);
});

test('an agent finds nothing in a session without a bug', async () => {
  const file = join(folder, 'none.mcpr.jsonl');
  const meet: SeededBug['meet'] = async ({ connection }) => {
    for (const [name, args] of [
      ['add_note', { text: 'milk' }],
      ['count_notes', {}],
      ['find_notes', { query: 'milk' }],
    ] as const)
      await connection.request('tools/call', JSON.stringify({ name, arguments: args }));
    await connection.request('resources/list');
    await connection.request('resources/read', '{"uri":"note://1"}');
  };
  await recordBug({ bug: 'none', meet, patience: '20' }, file);
  const { call, close } = await connectAgent(join(folder, 'none'), [file]);
  expect((await call('find_problems', { severity: 'info' })).text).toContain('No problems found.');
  expect((await call('explain')).text).toContain('nothing to explain');
  await close();
});
