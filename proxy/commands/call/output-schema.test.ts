import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { EXIT } from '@/proxy/cli/exit-code';
import { runAgainst } from '../headless/test-connection';

const call = (behaviour: string, ...more: string[]) =>
  runAgainst(behaviour, 'call', 'echo', 'text:="x"', '--json', ...more);

test.each([
  ['', 'The tool has an outputSchema, but its result has no structuredContent.'],
  [
    '{"n":"1"}',
    'The result does not match the tool’s outputSchema: `structuredContent.n` is a string, expected a number.',
  ],
  ['{}', 'The result does not match the tool’s outputSchema: `structuredContent.n` is missing.'],
  [
    '{"word":"b"}',
    'The result does not match the tool’s outputSchema: `structuredContent.n` is missing, and 1 more problem.',
  ],
  ['[]', 'The result does not match the tool’s outputSchema: `structuredContent` is an array, expected an object.'],
])(
  'a call whose structured content is %s ends with 1 and a line, and prints the result as it came',
  async (content, line) => {
    const { code, stdout, notes } = await call(`output ${content}`.trim());
    expect(stdout).toEqual([content === '' ? '{"content":[]}' : `{"content":[],"structuredContent":${content}}`]);
    expect({ code, notes }).toEqual({ code: EXIT.serverError, notes: [`mcp-inspect: ${line}`] });
  },
);

test('a result that fits its outputSchema is fine, to the last digit', async () => {
  const { code, stdout, notes } = await call('output {"n":9007199254740993,"n":1.0}');
  expect(stdout).toEqual(['{"content":[],"structuredContent":{"n":9007199254740993,"n":1.0}}']);
  expect({ code, notes }).toEqual({ code: EXIT.fine, notes: [] });
});

test('a result that can’t be checked, because the tools can’t be listed, is printed with the reason', async () => {
  const note = /^mcp-inspect: The result was not checked against outputSchema: .+No lists here\.$/;
  const { code, stdout, notes } = await call('output-unlisted');
  expect(stdout).toEqual(['{"content":[],"structuredContent":{}}']);
  expect({ code, notes }).toEqual({ code: EXIT.fine, notes: [expect.stringMatching(note)] });
});

test('stops at a pattern without an end', async () => {
  const { rulesMs } = LIMITS;
  Object.assign(LIMITS, { rulesMs: 100 });
  try {
    const { code, notes } = await call(`output {"n":1,"word":"${'a'.repeat(60)}b"}`);
    expect(code).toBe(EXIT.fine);
    expect(notes).toEqual(['mcp-inspect: The result was not checked against outputSchema: it took more than 0.1 s.']);
  } finally {
    Object.assign(LIMITS, { rulesMs });
  }
});

test('does not check what a tool reports as an error', async () => {
  const { notes } = await call('any-result {"content":[],"isError":true}');
  expect(notes).toEqual(['mcp-inspect: The tool reported an error (isError).']);
});
