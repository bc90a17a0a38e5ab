import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Target } from '@/lib/wire/command';
import { CATALOG } from '../../../e2e/servers/catalog.mjs';
import { EXIT } from '../exit-code';
import { capture, verifyAgainst } from '../test-verify';

const SERVERS = join(import.meta.dirname, '../../../e2e/servers');
const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is asked of each, besides all lists: `method params`. */
const ASKED: Readonly<Record<string, readonly (readonly [string, object])[]>> = {
  demo: [
    ['tools/call', { name: 'echo', arguments: { text: 'a' } }],
    ['resources/read', { uri: 'light://keeper' }],
    ['tools/call', { name: 'nothing', arguments: {} }],
  ],
  everything: [
    ['tools/call', { name: 'echo', arguments: { message: 'a' } }],
    ['tools/call', { name: 'get-sum', arguments: { a: 1, b: 2 } }],
    ['tools/call', { name: 'get-structured-content', arguments: { location: 'New York' } }],
    ['tools/call', { name: 'trigger-elicitation-request', arguments: {} }],
    ['tools/call', { name: 'trigger-sampling-request', arguments: { prompt: 'x' } }],
    ['resources/read', { uri: 'demo://resource/dynamic/text/1' }],
    ['prompts/get', { name: 'args-prompt', arguments: { city: 'Oslo' } }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' } },
    ],
    ['logging/setLevel', { level: 'error' }],
  ],
  filesystem: [
    ['tools/call', { name: 'list_directory', arguments: { path: join(folder, 'files') } }],
    ['tools/call', { name: 'get_file_info', arguments: { path: join(folder, 'files/a.txt') } }],
    ['tools/call', { name: 'read_text_file', arguments: { path: '/etc/nothing' } }],
  ],
  memory: [['tools/call', { name: 'read_graph', arguments: {} }]],
  'sequential-thinking': [
    [
      'tools/call',
      {
        name: 'sequentialthinking',
        arguments: { thought: 'x', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      },
    ],
  ],
  'modern-dual': [
    ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
    ['tools/call', { name: 'ask', arguments: {} }],
    ['tools/call', { name: 'throws', arguments: {} }],
    ['prompts/get', { name: 'greet', arguments: { name: 'x' } }],
  ],
  'modern-reject': [['tools/call', { name: 'range', arguments: { count: 3 } }]],
  ask: [
    ['tools/call', { name: 'kinds' }],
    ['tools/call', { name: 'sample' }],
    ['tools/call', { name: 'roots' }],
  ],
};

const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'];

mkdirSync(join(folder, 'files'));
writeFileSync(join(folder, 'files/a.txt'), 'a');

/** The server in a place of its own, where it may write. */
function targetOf({ name, command, args }: { name: string; command: string; args: readonly string[] }): Target {
  const own = name === 'filesystem' ? [...args.slice(0, -1), join(folder, 'files')] : args;
  return { transport: 'stdio', name, command, args: own, env: { MEMORY_FILE_PATH: join(folder, 'memory.json') } };
}

const ASK = { name: 'ask', command: process.execPath, args: [join(SERVERS, 'ask-server.mjs')] };

describe.skipIf(!existsSync(join(SERVERS, 'node_modules')))(
  'a session with a real server passes against the same server',
  () => {
    test.each([...CATALOG, ASK].map((server) => [server.name, server] as const))(
      '%s',
      async (name, server) => {
        const file = join(folder, `${name}.mcpr.jsonl`);
        await capture(
          targetOf(server),
          file,
          async (ask) => {
            for (const method of LISTS) await ask(method);
            for (const [method, params] of ASKED[name] ?? []) await ask(method, JSON.stringify(params));
          },
          'auto',
        );
        const { stdout, code } = await verifyAgainst(targetOf(server), file);
        expect(stdout[0]).toMatch(
          /^(?:No list of .*\n)*No difference: the server offers the same, \d+ calls? the same\.$/,
        );
        expect(code).toBe(EXIT.fine);
      },
      30_000,
    );
  },
);
