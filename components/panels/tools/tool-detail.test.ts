import { expect, test } from 'vitest';
import type { Log } from '@/lib/store/log';
import type { ToolEntry } from '@/lib/store/state/state';
import { asked, happened, logOf } from '@/lib/store/test-frames';
import { callSnippets } from './tool-detail';

const tool = { raw: { name: 'add' }, name: 'add', key: 'add' } as unknown as ToolEntry;
const labels = (log: Log, text: string) => callSnippets(log, tool, {}, text).map(({ label }) => label);
const start = happened({
  event: 'start',
  at: '',
  name: 'far',
  transport: 'http',
  url: 'http://127.0.0.1:1/mcp',
  headerNames: [],
  protocol: 'auto',
});

test('the request keeps typed digits and has the usual _meta', () => {
  const log = logOf(
    start,
    happened({ event: 'open', era: 'modern', version: '2026-07-28' }),
    asked(1, 'tools/list', { _meta: { here: true } }),
  );
  expect(callSnippets(log, tool, {}, ' ')[1]!.text()).toContain('"params":{"name":"add","_meta":{"here":true}}');
  expect(callSnippets(log, tool, {}, '{"n": 18446744073709551615}', '{"mine": 1.0, "here": 0}')[1]!.text()).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"n":18446744073709551615},"_meta":{"mine":1.0,"here":0}}}',
  );
});

test('offers curl for a URL, only the message without a start event, and the text if it is invalid', () => {
  expect(labels(logOf(start), '{}')).toContain('curl (bash, zsh)');
  const sse = happened({ event: 'fallback', transport: 'sse', reason: '' });
  expect(labels(logOf(start, sse), '{}')).not.toContain('curl (bash, zsh)');
  expect(labels(logOf(), '{}')).toEqual(['Arguments', 'Request']);
  expect(labels(logOf(start), '{"a":')).toContain('Arguments');
});
