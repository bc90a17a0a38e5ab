import { expect, test } from 'vitest';
import { modernMeta } from '@/lib/mcp/modern-meta';
import { requestMeta } from './request-meta';
import { answered, asked, happened, logOf } from './test-frames';

const meta = modernMeta('2026-07-28', { name: 'mcp-inspect', version: '9.9' }, { roots: {} }, undefined);

test('the legacy era needs none', () => {
  const log = logOf(
    asked(1, 'initialize', { _meta: meta }),
    answered(1, { serverInfo: {} }),
    happened({ event: 'open', era: 'legacy', version: '2025-11-25' }),
  );
  expect(requestMeta(log)).toBeUndefined();
});

test('in the modern era it is what our own requests carry, without their tokens', () => {
  const log = logOf(
    asked('p', 'server/discover', { _meta: { ...meta, progressToken: 7 } }),
    answered('p', { capabilities: {} }),
    happened({ event: 'open', era: 'modern', version: '2026-07-28' }),
  );
  expect(requestMeta(log)).toEqual(meta);
});

test('without a request of ours to look at it is still complete', () => {
  const log = logOf(happened({ event: 'open', era: 'modern', version: '2026-07-28' }));
  expect(Object.keys(requestMeta(log)!)).toEqual(Object.keys(meta));
  expect(requestMeta(log)).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' });
});
