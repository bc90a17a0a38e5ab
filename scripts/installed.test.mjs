import { expect, test } from 'vitest';
import { isInstalled } from './installed.mjs';

const root = { name: 'x', devDependencies: { a: '1.0.0' } };
const a = { version: '1.0.0', resolved: 'https://registry/a.tgz', integrity: 'sha512-a', dev: true };
const elsewhere = { version: '1.0.0', optional: true, os: ['darwin'] };
const lock = (packages) => JSON.stringify({ lockfileVersion: 3, packages });
const WANTED = lock({ '': root, 'node_modules/a': a, 'node_modules/elsewhere': elsewhere });

test('the result of `npm ci` is complete without packages for other platforms', () => {
  expect(isInstalled(WANTED, lock({ 'node_modules/a': a }))).toBe(true);
});

test.each([
  ['nothing', undefined],
  ['a truncated record', lock({ 'node_modules/a': a }).slice(0, 40)],
  ['no packages', '{}'],
  ['a missing package', lock({})],
  ['another version', lock({ 'node_modules/a': { ...a, version: '1.0.1' } })],
  ['other bytes', lock({ 'node_modules/a': { ...a, integrity: 'sha512-b' } })],
  ['one package too many', lock({ 'node_modules/a': a, 'node_modules/b': a })],
])('%s is not complete', (_, installed) => {
  expect(isInstalled(WANTED, installed)).toBe(false);
});
