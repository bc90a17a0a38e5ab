import { afterEach, expect, test, vi } from 'vitest';
import type { ListKind } from '@/lib/store/list-changes';
import { EXIT } from '@/proxy/cli/exit-code';
import { requestOf } from '../test-command-line';
import { requireShape } from '../test-output-shape';
import { listByCapability } from './by-capability';

afterEach(() => void vi.restoreAllMocks());

/** A legacy server with one tool that is always there, and one for each declared client capability. */
const SERVER = `
console.log('not a message');
const answers = {
  initialize: ({ capabilities }) => {
    declared = Object.keys(capabilities);
    return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
  },
  'tools/list': () => ({ tools: ['always', ...declared].map((name) => ({ name, inputSchema: { type: 'object' } })) }),
};
let declared;
require('node:readline').createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }));
});`;

async function compare(kinds: readonly ListKind[], ...options: string[]) {
  const written: string[] = [];
  const notes: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => notes.push(String(text)) > 0);
  const words = ['--protocol', '2025-11-25', ...options, '--', process.execPath, '-e', SERVER];
  const request = requestOf('list', '--by-capability', ...words);
  const context = { request, version: '0.0.0-test', home: '' } as Parameters<typeof listByCapability>[0];
  const code = await listByCapability(context, kinds, () => {});
  vi.restoreAllMocks();
  // Said once for all connections.
  expect(notes).toEqual([expect.stringContaining('1 line on stdout that is not an MCP message')]);
  return { code, stdout: written.join('') };
}

test('connects without each capability of --capabilities, and prints what changes', async () => {
  const some = ['--capabilities', '{"sampling":{},"roots":{}}'];
  expect(await compare(['tools', 'prompts'], ...some)).toEqual({
    code: EXIT.fine,
    stdout: 'Without sampling\n  − tool sampling\nWithout roots\n  − tool roots\n',
  });
  const json = await compare(['tools'], '--json', ...some);
  requireShape('capabilities', json.stdout);
  expect(JSON.parse(json.stdout).differences).toMatchObject([
    { capability: 'sampling', declared: true, changes: [{ kind: 'tools', key: 'sampling', change: 'removed' }] },
    { capability: 'roots', changes: [{ key: 'roots' }] },
  ]);
  const other = await compare(['prompts'], '--capabilities', '{"sampling":{}}');
  expect(other.stdout).toBe('Without sampling\n  nothing changes\n');
});
