import { expect, test } from 'vitest';
import { splitRecordingUrl } from './recording-url';

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
