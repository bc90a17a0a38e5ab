import { expect, test } from 'vitest';
import { type AddressOptions, objectUrl, readS3Address, s3Url } from './s3-address';

const urlOf = (url: string, options: AddressOptions = {}, env = {}, profile = {}) => {
  const address = readS3Address(url, options, env, profile);
  return objectUrl(address, [address.prefix, 'a=1/b+c'].filter((part) => part !== '').join('/')).href;
};

test.each<[string, AddressOptions, object, string]>([
  ['s3://team', {}, {}, 'https://team.s3.us-east-1.amazonaws.com/a%3D1/b%2Bc'],
  ['s3://team/x/y/', {}, { AWS_REGION: 'eu-west-1' }, 'https://team.s3.eu-west-1.amazonaws.com/x/y/a%3D1/b%2Bc'],
  ['s3://team', { region: 'cn-north-1' }, {}, 'https://team.s3.cn-north-1.amazonaws.com.cn/a%3D1/b%2Bc'],
  ['s3://my.team', {}, {}, 'https://s3.us-east-1.amazonaws.com/my.team/a%3D1/b%2Bc'],
  ['s3://team', { endpoint: 'http://127.0.0.1:9000' }, {}, 'http://127.0.0.1:9000/team/a%3D1/b%2Bc'],
  ['s3://team', {}, { AWS_ENDPOINT_URL: 'https://minio.test/' }, 'https://minio.test/team/a%3D1/b%2Bc'],
  [
    's3://team',
    { endpoint: 'https://minio.test', style: 'host' },
    { AWS_ENDPOINT_URL: 'https://other.test' },
    'https://team.minio.test/a%3D1/b%2Bc',
  ],
])('%s with %j and %j', (url, options, env, expected) => expect(urlOf(url, options, env)).toBe(expected));

test('a profile completes what neither options nor environment say', () => {
  const profile = { region: 'eu-north-1', endpoint: 'https://profile.test' };
  expect(readS3Address('s3://team', {}, {}, profile)).toMatchObject({
    region: 'eu-north-1',
    endpoint: 'https://profile.test',
  });
  expect(readS3Address('s3://team', { region: 'eu-west-1' }, {}, profile).region).toBe('eu-west-1');
});

test('writes an address as it was given', () => {
  expect(s3Url(readS3Address('s3://team/a/b/', {}, {}), 'k')).toBe('s3://team/a/b/k');
});

test.each<[string, AddressOptions, RegExp]>([
  ['s3://', {}, /does not name a bucket/],
  ['s3:///x', {}, /does not name a bucket/],
  ['s3://AKIAX:secret@team/x', {}, /`s3:\/\/…@team\/x` does not name a bucket/],
  ['s3://te..am', {}, /does not name a bucket/],
  ['s3://team/../x', {}, /The prefix/],
  ['s3://team/a//b', {}, /The prefix/],
  ['s3://team/a b', {}, /The prefix/],
  [`s3://team/${'a'.repeat(600)}`, {}, /The prefix/],
  ['s3://team', { region: 'eu west' }, /not a region/],
  ['s3://team', { endpoint: 'minio:9000' }, /not an http or https URL/],
  ['s3://team', { endpoint: 'https://a:planted@minio' }, /user name or a password/],
  ['s3://team', { endpoint: 'https://minio/path' }, /has a path/],
])('refuses %s with %j', (url, options, sentence) => {
  let message = '';
  try {
    readS3Address(url, options, {});
  } catch (error) {
    ({ message } = error as Error);
  }
  expect(message).toMatch(sentence);
  expect(message).not.toMatch(/planted|secret/);
});
