import { expect, it } from 'vitest';
import { serverToolFrames, serverTools } from './server-tools';
import { asked, complained, got, happened, logOf, onChannel, sent } from './test-frames';

const list = (id: number, ...names: readonly unknown[]) => ({
  jsonrpc: '2.0',
  id,
  result: { tools: names.map((name) => ({ name })), ...(id === 1 && { nextCursor: '2' }) },
});

it('reads the tools as the server sent them, from all pages of the newest list', () => {
  const log = logOf(
    asked(1, 'tools/list', {}),
    happened({ event: 'overlay', text: '{}', notified: 0 }),
    onChannel('intercept', list(1, 'echo', 'hidden', 7)),
    onChannel('http', {}),
    got(list(1, 'say')),
    asked(2, 'tools/list', { cursor: '2' }),
    got(list(2, 'other')),
    { ...onChannel('intercept', { jsonrpc: '2.0', id: 9, method: 'tools/call' }), direction: 'to-server' },
    sent({ jsonrpc: '2.0', id: 9, method: 'tools/call' }),
  );
  expect(serverToolFrames(log)).toEqual([3, 7]);
  const tools = serverTools(log, serverToolFrames(log));
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'hidden', 'other']);
  expect(tools[0]?.source.text).toBe('{"name":"echo"}');
});

it('reads the list itself if it was passed on as it was, or the log has no list', () => {
  const log = logOf(
    asked(3, 'tools/list', {}),
    { ...onChannel('intercept', list(3, 'other')), direction: 'to-server' },
    got(list(3, 'echo')),
  );
  expect(serverTools(log, serverToolFrames(log)).map(({ name }) => name)).toEqual(['echo']);
  expect(serverToolFrames(logOf(complained('a')))).toEqual([]);
});
