import { expect, test } from 'vitest';
import type { Negotiated } from '@/lib/mcp/handshake';
import { legacy } from '@/lib/problems/test-sessions';
import { asked, framesOf, got } from '@/lib/store/test-frames';
import { keptOutput } from '../headless/test-connection';
import { ResultRules } from './result-rules';

const negotiated = { era: 'legacy', version: '2025-11-25', capabilities: {} } as unknown as Negotiated;

/** Judges the answer to a call after a handshake, and before the tools are listed. */
async function judge(body: object, isSchemaTold = false) {
  const rules = new ResultRules();
  const call = asked(50, 'tools/call', { name: 't' });
  const list = [asked(51, 'tools/list'), got({ jsonrpc: '2.0', id: 51, result: { tools: [{ name: 5 }] } })];
  for (const frame of framesOf([...legacy(), call, got({ jsonrpc: '2.0', id: 50, ...body }), ...list]))
    rules.onFrame(frame);
  const out = keptOutput();
  const result = 'result' in body ? body.result : undefined;
  return { broken: await rules.report({ negotiated, out }, result, isSchemaTold), notes: out.notes };
}

test('a result without a fault, and the faults of another message, are not reported', async () => {
  expect(await judge({ result: { content: [{ type: 'text', text: 'a' }] } })).toEqual({ broken: 0, notes: [] });
});

test('a broken rule is named with its place', async () => {
  expect(await judge({ result: { content: [{ type: 'text', text: 7 }] } })).toEqual({
    broken: 1,
    notes: [
      'mcp-inspect: The result breaks the rule field-type: text is a number, expected a string. See `result.content[0].text`.',
    ],
  });
});

test('a missing member, which every command reports, is not reported twice', async () => {
  expect(await judge({ result: {} })).toEqual({ broken: 0, notes: [] });
});

test('a value that does not match the schema of the tool is not reported twice', async () => {
  const body = { result: { content: [], structuredContent: [] } };
  expect(await judge(body)).toMatchObject({ broken: 1 });
  expect(await judge(body, true)).toEqual({ broken: 0, notes: [] });
});

test('an error that breaks a rule is reported as well', async () => {
  const { notes } = await judge({ error: { code: 'x', message: 'no' } });
  expect(notes).toEqual([expect.stringContaining('breaks the rule field-type: code is a string')]);
});

test('at most three are printed, and the rest are counted', async () => {
  const content = [{}, { type: 'text' }, { type: 'image' }, { type: 'table' }];
  const { broken, notes } = await judge({ result: { content } });
  expect(broken).toBe(5);
  expect(notes).toHaveLength(4);
  expect(notes.at(-1)).toBe('mcp-inspect: It has 2 more errors. `check --allow` lists all.');
});
