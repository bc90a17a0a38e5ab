import { expect, test, vi } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { prepareAction, requestOf } from '../test-command-line';
import { findLaunch, readServerRequest, runOn } from './on-server';
import { keptOutput } from './test-connection';

/** A server that prints each answer as `print` does, after the handshake if `late`. */
const SERVER = (print: string, late: boolean) => `
  const line = (text) => process.stdout.write(text + '\\n');
  require('readline').createInterface({ input: process.stdin }).on('line', (text) => {
    const { id, method } = JSON.parse(text);
    const results = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools: [] },
    };
    const answer = { jsonrpc: '2.0', id, result: results[method] };
    if (id !== undefined) line(${late} && method === 'initialize' ? JSON.stringify(answer) : (${print})(answer));
  });`;

/** Runs `list` on that server. */
async function list(print: string, late: boolean) {
  const words = ['list', 'tools', '--protocol', '2025-11-25', '--', process.execPath, '-e', SERVER(print, late)];
  const request = { ...readServerRequest(requestOf(...words)), isUnattended: true } as const;
  const out = keptOutput();
  const action = await prepareAction(...words);
  const run = Object.assign((server: Parameters<typeof action>[0]) => action(server), { connect: { out } });
  const errors = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const code = await runOn(await findLaunch(request.options, '/'), run, request, '0', () => {});
  const said = errors.mock.calls.map(([text]) => String(text)).join('');
  errors.mockRestore();
  return { code, said };
}

test.each([
  ['(answer) => JSON.stringify(answer, null, 2)', false, EXIT.noConnection, /initialize.+It is printed over \d+ lines/],
  ['(answer) => `INFO ${JSON.stringify(answer)}`', true, EXIT.serverError, /tools\/list.+The line starts with `INFO`/],
  ['(answer) => JSON.stringify(answer.result)', true, EXIT.serverError, /tools\/list.+It is the result alone/],
])('a subcommand does not wait for a timeout after %s', async (print, late, code, words) => {
  const ran = await list(print, late);
  expect(ran).toEqual({ code, said: expect.stringMatching(words) });
});
