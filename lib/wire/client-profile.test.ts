import { describe, expect, test } from 'vitest';
import { SUPPORTED_CAPABILITIES } from './client-capabilities';
import {
  CLIENT_INFO_CHARS,
  type ClientProfile,
  introducesAnew,
  isSameProfile,
  needsHandshake,
  PROFILE_CHARS,
  profileProblem,
  readProfile,
  tidyProfile,
  writtenProfile,
} from './client-profile';

test.each<[unknown]>([
  [{}],
  [{ capabilities: {} }],
  [{ info: { name: 'a' }, meta: { 'com.example/x': [1] }, timeouts: { silenceMs: 1, totalMs: 2 ** 31 - 1 } }],
])('accepts %j', (value) => expect(profileProblem(value)).toBeUndefined());

test.each<[unknown, string]>([
  [null, 'must be a JSON object'],
  [{ shell: 1 }, 'no client setting "shell"'],
  [JSON.parse('{"__proto__":{}}'), 'no client setting "__proto__"'],
  [{ capabilities: { shell: {} } }, 'no client capability "shell"'],
  [{ info: { name: '' } }, 'texts of 1 to 200 characters'],
  [{ info: { name: 'x'.repeat(CLIENT_INFO_CHARS + 1) } }, 'texts of 1 to 200 characters'],
  [{ info: { icons: [] } }, 'texts of 1 to 200 characters'],
  [{ meta: [] }, 'must be a JSON object'],
  [{ meta: { progressToken: 1 } }, 'sets "progressToken"'],
  [{ meta: { 'io.modelcontextprotocol/clientInfo': {} } }, 'clientInfo'],
  [{ meta: { a: 'x'.repeat(PROFILE_CHARS) } }, 'shorten'],
  [{ timeouts: { silenceMs: 0 } }, 'whole milliseconds'],
  [{ timeouts: { totalMs: 2 ** 31 } }, 'whole milliseconds'],
  [{ timeouts: { totalMs: 1.5 } }, 'whole milliseconds'],
])('refuses %j', (value, sentence) => expect(profileProblem(value)).toContain(sentence));

describe('profiles are compared by what they do', () => {
  const { roots, ...others } = SUPPORTED_CAPABILITIES;
  const reordered = { ...others, roots };

  test('the order of members and explicit defaults make no difference', () => {
    expect(isSameProfile({}, { capabilities: reordered, info: {}, meta: {}, timeouts: {} })).toBe(true);
    expect(tidyProfile({ capabilities: reordered, meta: {} })).toEqual({});
    expect(writtenProfile({ capabilities: reordered })).toEqual({});
    expect(writtenProfile({ capabilities: {} })).toEqual({ profile: { capabilities: {} } });
  });

  test.each<[ClientProfile, ClientProfile, boolean]>([
    [{}, { capabilities: others }, true],
    [{ info: { name: 'a' } }, { info: { name: 'b' } }, true],
    [{ meta: { a: 1 } }, { meta: { a: 2 }, timeouts: { silenceMs: 1 } }, false],
  ])('a server has to learn of the change from %j to %j: %s', (before, after, isNew) => {
    expect(introducesAnew(before, after)).toBe(isNew);
    expect(isSameProfile(before, after)).toBe(false);
  });
});

test('reads the features of earlier versions, and survives any other value', () => {
  expect(readProfile({ features: ['elicitation-url', 'roots', 7] })).toEqual({
    capabilities: { roots: { listChanged: true }, elicitation: { url: {} } },
  });
  expect(readProfile({ features: [] })).toEqual({ capabilities: {} });
  expect(readProfile({ profile: { capabilities: {} }, features: ['roots'] })).toEqual({ capabilities: {} });
  for (const profile of [undefined, null, 7, [], { meta: 'x' }]) expect(readProfile({ profile })).toEqual({});
});

test('a server learns of another host in a handshake only, of capabilities also with the next request', () => {
  const [as, other] = [{ as: 'codex' }, { capabilities: {} }];
  expect([needsHandshake({}, as, 'modern'), needsHandshake({}, as, 'legacy')]).toEqual([true, true]);
  expect([needsHandshake({}, other, 'modern'), needsHandshake({}, other, 'legacy')]).toEqual([false, true]);
  expect(needsHandshake(as, { ...as, meta: { a: 1 } }, 'legacy')).toBe(false);
});
