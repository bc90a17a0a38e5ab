import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSummary, SummaryError } from './read-summary';
import { SUMMARY_BYTES } from './recording-summary';
import { summaryWith, tool } from './test-summaries';

const GOOD = summaryWith({
  tools: [tool('scan', [1, 2, 3])],
  tags: ['ci'],
  author: 'ada',
  commit: 'c'.repeat(40),
  host: { name: 'claude-code', version: '2' },
  ci: { name: 'github', run: 'https://github.com/a/b/actions/runs/1' },
  failures: [{ method: 'tools/call', name: 'scan', code: -32603, message: 'No', count: 2, frame: 5 }],
  problems: [{ rule: 'unknown-method', severity: 'error', count: 2 }],
});

const read = (value: unknown) => readSummary(Buffer.from(JSON.stringify(value)));

test('reads back what was written', () => {
  expect(read(GOOD)).toEqual(GOOD);
});

test('drops members that it does not know', () => {
  const more = { ...GOOD, html: '<script>', server: { ...GOOD.server, toString: 'x' } };
  expect(read(more)).toEqual(GOOD);
});

test('reads a summary as 0.1.0 wrote it', () => {
  const bytes = readFileSync(join(import.meta.dirname, 'fixtures/summary-0.1.0.json'));
  const summary = readSummary(bytes);
  expect(summary).toEqual(JSON.parse(bytes.toString()));
  expect(summary.tools).toMatchObject([{ name: 'temperature', calls: 1 }]);
});

test('says that a newer summary needs an update', () => {
  expect(() => read({ ...GOOD, summary: 2 })).toThrow(expect.objectContaining({ code: 'newer' }));
});

test.each<[string, unknown]>([
  ['null', null],
  ['a list', []],
  ['nothing', {}],
  ['no version', { ...GOOD, summary: '1' }],
  ['a digest with other characters', { ...GOOD, sha256: `../${'a'.repeat(61)}` }],
  ['a negative count', { ...GOOD, bytes: -1 }],
  ['a fraction of a frame', { ...GOOD, frames: 1.5 }],
  ['a number beyond measure', { ...GOOD, durationMs: 1e300 }],
  ['a long text', { ...GOOD, by: 'x'.repeat(201) }],
  ['half a character', { ...GOOD, by: '\ud800' }],
  ['a time that is not one', { ...GOOD, at: 'yesterday' }],
  ['a time that does not exist', { ...GOOD, at: '2026-99-99T00:00:00Z' }],
  ['an unknown mode', { ...GOOD, mode: 'constructor' }],
  ['no server', { ...GOOD, server: 'x' }],
  ['a commit that is an option', { ...GOOD, commit: '--upload-pack=x' }],
  ['too many tools', { ...GOOD, tools: Array.from({ length: 201 }, () => tool('x', [])) }],
  ['a tool that is a text', { ...GOOD, tools: ['x'] }],
  ['more errors than calls', { ...GOOD, requests: { calls: 1, errors: 2 } }],
  ['more times than calls', { ...GOOD, requests: { calls: 1, errors: 0, times: [[1, 2]] } }],
  [
    'times out of order',
    {
      ...GOOD,
      requests: {
        calls: 2,
        errors: 0,
        times: [
          [2, 1],
          [1, 1],
        ],
      },
    },
  ],
  [
    'a time twice',
    {
      ...GOOD,
      requests: {
        calls: 2,
        errors: 0,
        times: [
          [1, 1],
          [1, 1],
        ],
      },
    },
  ],
  ['a bucket beyond the last', { ...GOOD, requests: { calls: 1, errors: 0, times: [[129, 1]] } }],
  ['an unknown code', { ...GOOD, failures: [{ method: 'x', code: 'nope', count: 1, frame: 1 }] }],
  ['an unknown severity', { ...GOOD, problems: [{ rule: 'x', severity: 'fatal', count: 1 }] }],
  ['a tag that is a number', { ...GOOD, tags: [1] }],
])('refuses %s', (_what, value) => {
  expect(() => read(value)).toThrow(SummaryError);
});

test.each([
  ['nothing', ''],
  ['text', 'hello'],
  ['deep nesting', '['.repeat(SUMMARY_BYTES)],
  ['too many bytes', JSON.stringify({ ...GOOD, x: 'x'.repeat(SUMMARY_BYTES) })],
  ['a name twice', JSON.stringify(GOOD).replace('"bytes":1000', '"bytes":1000,"bytes":-5')],
])('refuses %s instead of JSON', (_what, text) => {
  expect(() => readSummary(Buffer.from(text))).toThrow(SummaryError);
});

test('refuses bytes that are not UTF-8', () => {
  expect(() => readSummary(Uint8Array.of(0x7b, 0xff, 0x7d))).toThrow(SummaryError);
});
