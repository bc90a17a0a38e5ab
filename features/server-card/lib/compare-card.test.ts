import { expect, test } from 'vitest';
import { answered, asked, happened, logOf } from '@/lib/store/test-frames';
import { compareCard } from './compare-card';

const URL_OF_SERVER = 'https://a.example/mcp';
const INFO = { name: 'weather', version: '1.0.0', title: 'Weather' };

/** The log of a legacy session with a server at a URL. */
function log(tools: readonly string[] = ['forecast']) {
  return logOf(
    happened({
      event: 'start',
      transport: 'http',
      name: 'a',
      url: URL_OF_SERVER,
      headerNames: [],
      placeholders: [],
      protocol: 'auto',
      at: '2026-01-01T00:00:00Z',
    } as never),
    asked(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    }),
    answered(0, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: INFO }),
    happened({ event: 'open', era: 'legacy', version: '2025-11-25' } as never),
    asked(1, 'tools/list'),
    answered(1, { tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  );
}
const compare = (card: object, tools?: readonly string[]) =>
  compareCard(card as never, log(tools)).map(({ what, isSame }) => `${what} ${isSame ? 'same' : 'differs'}`);

test('claims of the card beside what the server says', () => {
  expect(compare({ name: 'com.example/weather', version: '2', title: 'Weather', description: 'Only here' })).toEqual([
    'name same',
    'version differs',
    'title same',
  ]);
});

test('the remote of the connection, in any spelling of its URL', () => {
  const remote = (url: string) => compare({ remotes: [{ type: 'streamable-http', url }] })[0];
  expect(remote(`${URL_OF_SERVER}/`)).toBe('remote same');
  expect(remote('https://A.example:443/mcp')).toBe('remote same');
  expect(remote('https://b.example/mcp')).toBe('remote differs');
  // The address may come from variables, so nothing is claimed.
  expect(remote('https://{tenant}.example/mcp')).toBeUndefined();
});

test('tools and protocol versions, in any order', () => {
  const remotes = (versions: readonly string[]) => [
    { type: 'streamable-http', url: URL_OF_SERVER, supportedProtocolVersions: versions },
  ];
  expect(compare({ tools: [{ name: 'b' }, 'a'] }, ['a', 'b'])).toEqual(['tools same']);
  expect(compare({ tools: ['a'] }, ['a', 'b'])).toEqual(['tools differs']);
  expect(compare({ remotes: remotes(['2025-11-25', '2025-06-18']) })).toContain('protocol versions same');
  expect(compare({ remotes: remotes(['2025-06-18']) })).toContain('protocol versions differs');
});

test('members of another type claim nothing', () => {
  expect(compare({ name: 1, version: null, remotes: 'x', tools: {}, capabilities: [] })).toEqual([]);
});
