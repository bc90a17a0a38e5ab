import { expect, test } from 'vitest';
import { modernMeta } from '@/lib/mcp/versions';
import { entrySource, messageSource, requestMeta } from './message-source';
import { answered, asked, got, happened, logOf } from './test-frames';

const TOOL = '{"name":"a","inputSchema":{"type":"object","maximum":18446744073709551615,"maximum":1.0}}';
const PAGE = `{"jsonrpc":"2.0","id":1,"result":{"tools":[7,${TOOL}]}}`;

test('finds a listed item as it was written', () => {
  const log = logOf(asked(1, 'tools/list'), got(PAGE));
  const entry = log.state.tools.items[1]!;
  expect(entrySource(log, 'tools', entry)?.text).toBe(TOOL);
  expect(entrySource(log, 'prompts', entry)).toBeUndefined();
});

test('finds a message in a batch by id', () => {
  const log = logOf(got(`[3,{"jsonrpc":"2.0","id":"1","result":0},${PAGE}]`));
  expect(messageSource(log, 1, 1)?.text).toBe(PAGE);
  expect(messageSource(log, 1, 99)?.member('id')?.value).toBe('1');
});

test('messageSource returns undefined for non-messages', () => {
  const log = logOf(got('7'), got('[]'), got('nonsense'));
  for (const seq of [1, 2, 3]) expect(messageSource(log, seq, 1)).toBeUndefined();
});

const meta = modernMeta('2026-07-28', { name: 'mcp-inspect', version: '9.9' }, { roots: {} }, undefined);

test('requestMeta returns undefined in the legacy era', () => {
  const log = logOf(
    asked(1, 'initialize', { _meta: meta }),
    answered(1, { serverInfo: {} }),
    happened({ event: 'open', era: 'legacy', version: '2025-11-25' }),
  );
  expect(requestMeta(log)).toBeUndefined();
});

test("requestMeta returns the client's own _meta in the modern era, without tokens", () => {
  const log = logOf(
    asked('p', 'server/discover', { _meta: { ...meta, progressToken: 7 } }),
    answered('p', { capabilities: {} }),
    happened({ event: 'open', era: 'modern', version: '2026-07-28' }),
  );
  expect(requestMeta(log)).toEqual(meta);
});

test('requestMeta is complete even without a request to copy', () => {
  const log = logOf(happened({ event: 'open', era: 'modern', version: '2026-07-28' }));
  expect(Object.keys(requestMeta(log)!)).toEqual(Object.keys(meta));
  expect(requestMeta(log)).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' });
});
