import { expect, test } from 'vitest';
import { namesFile, readFileUrl, readRecordingUrl, splitRecordingUrl } from './recording-url';

const KEY = `recordings/v1/2026/11/26/${'a'.repeat(64)}.mcpr.jsonl`;

test.each([
  [`s3://team/${KEY}`, 's3://team', KEY],
  [`s3://team/mcp/eu/${KEY}`, 's3://team/mcp/eu', KEY],
  [`S3://team/recordings/v1/x/${KEY}`, 's3://team/recordings/v1/x', KEY],
  ['s3://team/archive/one.mcpr.jsonl', 's3://team', 'archive/one.mcpr.jsonl'],
])('splits %s', (url, place, key) => {
  expect(splitRecordingUrl(url)).toEqual({ place, key });
});

test.each([
  's3://',
  's3://team',
  's3://team/',
  `s3:///${KEY}`,
  's3://team/one.json',
  's3://team/a b.mcpr.jsonl',
  's3://team/../x.mcpr.jsonl',
  's3://team/a/./x.mcpr.jsonl',
  's3://team/\u001b[31m.mcpr.jsonl',
  's3://team/a\n.mcpr.jsonl',
  's3://team/a.mcpr.jsonl?versionId=1',
  's3://KEY:SECRET@team/a.mcpr.jsonl',
  `s3://team/${'a'.repeat(1025)}.mcpr.jsonl`,
  'https://team/a.mcpr.jsonl',
])('attack: refuses other addresses: %j', (url) => {
  expect(() => splitRecordingUrl(url)).toThrow('The address does not name a recording in a bucket.');
});

const ONE = `recordings/v1/2026/11/26/5b43157eeb39${'a'.repeat(52)}.mcpr.jsonl`;
const OTHER = `recordings/v1/2026/11/25/5b43157eeb38${'b'.repeat(52)}.mcpr.jsonl`;
const STORE = {
  async *list() {
    for (const key of [OTHER, ONE, 'recordings/v1/5b43157eeb39.txt']) yield { key, bytes: 1, etag: '', at: '' };
  },
};

test('finds a recording by the id that a list shows', async () => {
  const { place, find } = readRecordingUrl('s3://team/mcp/5b43157eeb39');
  expect([place, await find(STORE)]).toEqual(['s3://team/mcp', ONE]);
  expect(await readRecordingUrl(`s3://team/${ONE}`).find(STORE)).toBe(ONE);
  await expect(readRecordingUrl('s3://team/5b43157e').find(STORE)).rejects.toThrow('2 recordings in s3://team begin');
  await expect(readRecordingUrl('s3://team/00000000').find(STORE)).rejects.toThrow('No recording in s3://team begins');
  for (const wrong of ['s3://team/5b4315', 's3://a:b@team/5b43157eeb39', 's3://5b43157eeb39'])
    expect(() => readRecordingUrl(wrong)).toThrow('does not name a recording');
});

test('finds other files by their whole name', async () => {
  for (const name of ['a.mcpr.gz', 'a.har', 'tools.pins.json']) {
    expect(namesFile(`s3://team/${name}`)).toBe(true);
    const { place, find } = readFileUrl(`s3://team/x/${name}`);
    expect([place, await find(STORE)]).toEqual(['s3://team/x', name]);
  }
  for (const other of ['s3://team', 's3://team/x', 's3://a.json', 's3://team/\u001b.json', 's3://a:b@team/a.json'])
    expect(namesFile(other)).toBe(false);
});
