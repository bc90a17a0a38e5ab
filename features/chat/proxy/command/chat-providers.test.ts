import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { testFolder } from '@/proxy/commands/test-folder';
import { CANARY, PROVIDERS, startEndpoints } from '../model/test-models';
import { chatInTerminal } from './chat';
import { runKept, TWO_SERVERS } from './test-chat-command';

const endpoints = startEndpoints();
const folder = testFolder();
afterEach(() => vi.unstubAllEnvs());

const QUESTION =
  'call lighthouse__look_out {} call tides__next_high_water {"port":"Stromness","after":"13:00"} and tell me';

test.each(PROVIDERS)('%s answers a question that needs two servers, and its key is in no file', async (id, path) => {
  for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'OLLAMA_API_KEY'])
    vi.stubEnv(name, CANARY);
  const argv = ['--model', `${id}:caller`, '--model-option', `url=${endpoints().url}${path}`, '--config', TWO_SERVERS];
  const record = join(folder, `${id}.mcpr.jsonl`);
  const { code, stdout, notes } = await runKept(chatInTerminal, [
    'chat',
    ...argv,
    QUESTION,
    '--json',
    '--allow',
    'read-only',
    '--record',
    record,
  ]);
  const { answer, calls, tokens } = JSON.parse(stdout);
  expect(notes).toEqual([]);
  expect(code).toBe(EXIT.fine);
  expect(answer).toContain('Results: ');
  expect(answer).toContain('High water in Stromness is at 14:45.');
  expect(calls).toMatchObject([
    { server: 'lighthouse', state: 'done' },
    { server: 'tides', state: 'done' },
  ]);
  expect(tokens.inputTokens).toBeGreaterThan(0);
  const files = readdirSync(folder).filter((name) => name.startsWith(`${id}.`) || name.startsWith(`${id}-`));
  expect(files).toHaveLength(3);
  for (const text of [stdout, ...files.map((name) => readFileSync(join(folder, name), 'utf8'))])
    expect(text).not.toContain(CANARY);
});

test('a missing key is one sentence with what to do', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', '');
  const asked = runKept(chatInTerminal, ['chat', '--model', 'anthropic:x', 'a', '--demo']);
  await expect(asked).rejects.toThrow(/Anthropic needs a key.*Set ANTHROPIC_API_KEY/);
});
