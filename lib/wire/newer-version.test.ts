import { expect, test } from 'vitest';
import { PROTOCOL_VERSIONS } from './lifecycle';
import { newerVersion, updateAdvice } from './newer-version';

const NEWEST = PROTOCOL_VERSIONS.at(-1)!;

test.each([
  [['2099-01-01'], '2099-01-01'],
  [['2099-02-01', '2098-01-01', 7], '2099-02-01'],
  // A version in common means that the server still speaks ours.
  [['2099-01-01', NEWEST], undefined],
  [['2023-01-01'], undefined],
  [['latest', null], undefined],
  [[], undefined],
  ['2099-01-01', undefined],
  [undefined, undefined],
])('of the versions %j, %j is newer than all that are known', (offered, newer) => {
  expect(newerVersion(offered)).toBe(newer);
});

test('the advice names both versions and the command', () => {
  expect(updateAdvice('2099-01-01')).toMatch(
    new RegExp(`^2099-01-01 is newer than ${NEWEST}, .*\`npx mcp-inspect@latest\` runs the newest release\\.$`),
  );
});
