import { expect, test } from 'vitest';
import { classOf, lessPublic } from './address-policy';

test.each([
  ['169.254.169.254', 'local'],
  ['169.254.0.1', 'local'],
  ['100.100.100.200', 'local'],
  ['fe80::1', 'local'],
  ['fe80::1%eth0', 'local'],
  ['febf::1', 'local'],
  ['fd00:ec2::254', 'local'],
  ['::ffff:169.254.169.254', 'local'],
  ['::ffff:a9fe:a9fe', 'local'],
  ['[::ffff:a9fe:a9fe]', 'local'],
  ['64:ff9b::a9fe:a9fe', 'local'],
  ['64:ff9b:1::a9fe:a9fe', 'local'],
  ['2002:a9fe:a9fe::', 'local'],
  ['::a9fe:a9fe', 'local'],
  ['not an address', 'local'],
  ['127.0.0.1', 'loopback'],
  ['127.8.9.1', 'loopback'],
  ['0.0.0.0', 'loopback'],
  ['::1', 'loopback'],
  ['::', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12::1', 'private'],
  ['::ffff:10.0.0.1', 'private'],
  ['224.0.0.1', 'private'],
  ['64:ff9b:1::808:808', 'private'],
  ['64:ff9b:1:a9fe:a9:fe00:808:808', 'private'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'private'],
  ['::ffff:0:7f00:1', 'private'],
  ['2001:4860:4860::8888', 'public'],
  ['172.32.0.1', 'public'],
  ['100.128.0.1', 'public'],
  ['8.8.8.8', 'public'],
  ['2606:4700::1111', 'public'],
  ['64:ff9b::808:808', 'public'],
])('%s is %s', (address, expected) => expect(classOf(address)).toBe(expected));

test('the less public class wins', () => {
  expect(lessPublic('public', 'loopback')).toBe('loopback');
  expect(lessPublic('local', 'private')).toBe('local');
});
