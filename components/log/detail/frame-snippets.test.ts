import { expect, test } from 'vitest';
import type { Log } from '@/lib/store/log';
import { answered, asked, complained, type FrameSeed, got, happened, logOf } from '@/lib/store/test-frames';
import { frameSnippets } from './frame-snippets';

const start = happened({
  event: 'start',
  at: '',
  name: 'far',
  transport: 'http',
  url: 'http://127.0.0.1:1/mcp',
  headerNames: ['Authorization'],
  protocol: 'auto',
});
const posted: FrameSeed = {
  channel: 'http',
  direction: 'to-server',
  flags: 0,
  bytes: new TextEncoder().encode(
    '{"kind":"request","exchange":1,"method":"POST","url":"http://127.0.0.1:1/mcp","headers":[["X","1"],["Authorization","•••"]],"bytes":9}',
  ),
};
const text = (log: Log, seq: number, label: string) =>
  frameSnippets(log, log.row(seq - 1))
    .find((snippet) => snippet.label === label)
    ?.text();

test('a request and its answer are copied as what sends the request', () => {
  const log = logOf(start, posted, asked(1, 'tools/call', { name: 'a', _meta: { progressToken: 1 } }), answered(1, {}));
  for (const seq of [3, 4]) {
    expect(text(log, seq, 'curl')).toContain(`-H 'X: 1'`);
    expect(text(log, seq, 'curl')).toContain('"$AUTHORIZATION"');
    expect(text(log, seq, 'curl')).toContain('"progressToken":1');
    expect(text(log, seq, 'mcp-inspect command line')).toContain('call a --header');
    expect(text(log, seq, 'TypeScript SDK')).not.toContain('progressToken');
  }
  expect(text(log, 4, 'JSON')).toBe('{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "result": {}\n}');
  expect(text(log, 4, 'Raw')).toBe('{"jsonrpc":"2.0","id":1,"result":{}}');
});

test('what is nobody’s request of ours is only itself', () => {
  const log = logOf(start, got({ jsonrpc: '2.0', id: 1, method: 'ping' }), complained('no'));
  expect(frameSnippets(log, log.row(1)).map(({ label }) => label)).toEqual(['JSON', 'Raw']);
  expect(frameSnippets(log, log.row(2)).map(({ label }) => label)).toEqual(['Raw']);
});
