import { expect, test } from 'vitest';
import { callTimes } from './call-times';
import { findRecordings, readQuery, type WantedRecordings } from './find-recordings';
import { type ListedRecording, readListed } from './listed-recording';
import { summaryWith, tool } from './test-summaries';

const NOW = Date.parse('2026-11-26T12:00:00Z');

function listed(n: number, members: Parameters<typeof summaryWith>[0]): ListedRecording {
  const sha256 = String(n).padStart(64, '0');
  const summary = summaryWith({ id: `id-${n}`, sha256, ...members });
  const row = readListed(Buffer.from(JSON.stringify(summary)), `recordings/v1/2026/11/26/${sha256}.mcpr.jsonl`, sha256);
  if (typeof row === 'string') throw new Error(row);
  return row;
}

const ROWS = [
  listed(1, {
    at: '2026-11-25T10:00:00.000Z',
    server: { name: 'files', info: 'secure-filesystem', version: '1.2.3', transport: 'stdio' },
    host: { name: 'claude-code' },
    tags: ['nightly', 'eu'],
    author: 'Ada Lovelace',
    commit: 'abcdef0123456789abcdef0123456789abcdef01',
    tools: [tool('read_file', [1, 2], { errors: 1 }), tool('write_file', [1])],
  }),
  listed(2, {
    at: '2026-11-20T10:00:00.000Z',
    server: { name: 'search', transport: 'http' },
    tools: [tool('find', [3]), tool('read_file', [])],
  }),
];

test.each([
  ['', [1, 2]],
  ['server:FILES', [1]],
  ['server:secure', [1]],
  ['tool:read_file', [1]],
  ['is:failed', [1]],
  ['is:ok', [2]],
  ['tool:read is:failed', [1]],
  ['tool:write is:failed', []],
  ['tool:write is:ok', [1]],
  ['tool:read is:ok', []],
  ['host:claude tag:Nightly tag:eu', [1]],
  ['tag:night', []],
  ['author:"ada love" commit:ABCDEF', [1]],
  ['since:3d', [1]],
  ['until:2026-11-21', [2]],
  ['lovelace 1.2.3', [1]],
  ['id-2', [2]],
  ['0000', [1, 2]],
  ['https://nothing', []],
  ['"ns:tool"', []],
])('finds by %j', (query, ids) => {
  const wanted = readQuery(query, NOW) as WantedRecordings;
  expect(findRecordings(ROWS, wanted).map(({ id }) => id)).toEqual(ids.map((n) => `id-${n}`));
});

test.each([
  ['is:new', '`is:new` is unknown. Write is:failed or is:ok.'],
  ['servers:files', expect.stringMatching(/^`servers:` is unknown\. Write server: tool: /)],
  ['bogus:', expect.stringMatching(/^`bogus:` is unknown/)],
  ['since:soon', '`soon` is not a time. Write 2026-11-26, 7d or 12h.'],
  ['tag:', 'Write a value after `tag:`.'],
])('says what is wrong with %j', (query, wrong) => {
  expect(readQuery(query, NOW)).toEqual({ wrong });
});

test('a list has the times of calls one by one if they are few, or else their p95', () => {
  const many = listed(3, { tools: [tool('a', [10, 10, 10]), tool('b', [10, 10])] });
  expect([...ROWS, many].map(callTimes)).toEqual([
    '1.0 ms, 2.0 ms, 1.0 ms',
    '3.0 ms',
    expect.stringMatching(/^p95 (9|10|11)\.\d ms$/),
  ]);
  expect(callTimes(listed(4, {}))).toBe('');
});
